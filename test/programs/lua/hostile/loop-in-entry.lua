-- expect: timeout
function Run() while true do end end
