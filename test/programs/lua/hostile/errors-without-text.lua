-- expect-error: runtime: error without a message
error(nil)
