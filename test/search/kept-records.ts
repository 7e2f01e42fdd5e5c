/** Two hundred kept scripts and skills as a team's store may hold them: sixty of their own kind, the rest look-alikes. */
export interface KeptRecord {
  name: string;
  description: string;
  instructions: string;
}

const OWN = `
weekly_sales_report | Builds the weekly sales report from paid orders and posts it to Slack | Pass the first day of the week. Needs the orders and slack servers.
open_prs_digest | Lists open pull requests older than three days with their reviewers | Give owner and repo. Read-only.
stale_issue_closer | Closes GitHub issues with no activity for ninety days | Dry run by default; set apply to true.
csv_to_markdown | Converts a CSV file into a markdown table | Give the path; the first row is the header.
folder_size_summary | Sums up file sizes by extension below a folder | Slow on large trees.
duplicate_file_finder | Finds duplicate files by content hash | Compares size first, then the hash.
notion_meeting_notes | Creates a meeting notes page in Notion from a transcript | Parent page id in params.
customer_churn_estimate | Estimates customer churn from the last two quarters of subscriptions | Returns a share between 0 and 1.
mongo_index_advisor | Suggests MongoDB indexes from slow query logs | Explain plans are read, nothing is changed.
backup_check | Verifies that last night's database backup exists and is not empty | Alerts when smaller than yesterday's by half.
screenshot_compare | Takes a screenshot of a page and compares it with the stored one | Threshold in percent.
login_smoke_test | Logs into the staging site in a browser and checks the dashboard loads | Credentials come from the browser profile.
expense_categories | Sorts bank transactions into expense categories | Rules live in the instructions of this record.
currency_convert | Converts an amount between currencies at today's rate | Three-letter codes.
release_notes | Writes release notes from merged pull requests since a tag | Groups by label.
dependency_audit | Checks package manifests for outdated or vulnerable dependencies | Reads package.json and go.mod.
on_call_rotation | Tells who is on call this week and next | Calendar named On-call.
invoice_pdf_reader | Extracts totals and VAT from invoice PDFs | Works on text PDFs only.
translate_glossary | Glossary of product terms for translators | Skill: read before translating any interface text.
tone_of_voice | How to write to customers: short, warm, no jargon | Skill.
sql_style | House rules for SQL queries | Skill. Upper-case keywords, one clause a line.
timezone_meeting_finder | Finds a meeting slot that suits several time zones | Working hours nine to six.
log_error_histogram | Counts error messages in a log file by hour | Regular expression for the timestamp in params.
link_checker | Checks that links on a web page are not broken | Follows redirects, reports 4xx and 5xx.
graph_people_import | Imports people and their relations into the knowledge graph | CSV with from, to and relation.
password_rotation_reminder | Reminds owners of secrets older than ninety days | Never prints the secret.
survey_sentiment | Scores the sentiment of survey comments | From -1 to 1.
inventory_reorder | Computes which products must be reordered from stock levels and lead times | Safety stock of a week.
git_blame_owner | Finds the likely owner of a source file from its commit history | Weighted by recency.
weather_trip_planner | Picks the best day for an outdoor trip from the weather forecast | Rain under two millimetres.
недельный_отчёт | Собирает недельный отчёт по продажам и отправляет в чат | Передайте дату понедельника.
поиск_дубликатов | Ищет одинаковые файлы в папке по контрольной сумме | Сначала сравнивает размер.
проверка_резервных_копий | Проверяет, что ночная резервная копия базы создана и не пустая | Сообщает, если копия вдвое меньше вчерашней.
курс_валют | Переводит сумму из одной валюты в другую по курсу на сегодня | Коды из трёх букв.
погода_на_выходные | Показывает прогноз погоды на выходные для города | Город в параметрах.
список_дел | Добавляет задачу в список дел на день | Можно указать срок.
напоминание_о_счетах | Напоминает об оплате счетов за коммунальные услуги | Раз в месяц.
перевод_документов | Переводит документ на английский с сохранением разметки | Словарь терминов обязателен.
тон_переписки | Как отвечать клиентам: коротко, вежливо, без канцелярита | Навык: прочитать перед ответом.
даты_и_время | Правила записи дат: ISO 8601 и часовой пояс | Навык.
разбор_логов | Считает ошибки в журнале по часам | Регулярное выражение времени в параметрах.
поиск_вакансий | Подбирает вакансии по навыкам и зарплате | Источник указывается в параметрах.
расписание_врача | Узнаёт свободные часы приёма врача | Нужен полис.
маршрут_доставки | Строит кратчайший маршрут доставки по адресам | До двадцати адресов.
остатки_на_складе | Показывает остатки товаров на складе и что пора заказать | Запас на неделю.
оценка_отзывов | Определяет настроение отзывов покупателей | От минус одного до одного.
сверка_платежей | Сверяет платежи банка с выставленными счетами | Допуск в одну копейку.
отпуск_сотрудников | Считает оставшиеся дни отпуска сотрудников | По производственному календарю.
рассылка_новостей | Готовит письмо с новостями компании для рассылки | Не больше пяти новостей.
чтение_накладных | Извлекает суммы и НДС из накладных | Только текстовые PDF.
проверка_ссылок | Проверяет, нет ли на странице битых ссылок | Следует за перенаправлениями.
резюме_встречи | Делает краткое резюме встречи по расшифровке | Решения и ответственные отдельно.
импорт_контактов | Загружает контакты из таблицы в адресную книгу | Столбцы имя, телефон, почта.
прогноз_оттока | Оценивает отток клиентов по подпискам за полгода | Доля от нуля до единицы.
дежурства | Говорит, кто дежурит на этой неделе | Календарь «Дежурства».
уборка_задач | Закрывает задачи без движения за девяносто дней | Сначала пробный запуск.
анализ_расходов | Раскладывает траты по категориям | Правила внутри записи.
заметки_к_выпуску | Пишет заметки к выпуску по слитым изменениям | Группирует по меткам.
снимок_страницы | Делает снимок веб-страницы и сравнивает с прежним | Порог в процентах.
ночной_импорт | Загружает новые заказы в базу каждую ночь | Пропускает повторы.
`;

const ACTIONS = [
  ['export', 'Exports SUBJECT to a spreadsheet', 'выгрузка', 'Выгружает SUBJECT в таблицу'],
  ['archive', 'Moves old SUBJECT into the archive', 'архив', 'Переносит старые SUBJECT в архив'],
  ['count', 'Counts SUBJECT by month and region', 'подсчёт', 'Считает SUBJECT по месяцам и регионам'],
  ['validate', 'Checks SUBJECT for missing fields', 'проверка', 'Ищет незаполненные поля: SUBJECT'],
  [
    'sync',
    'Synchronises SUBJECT between two systems',
    'синхронизация',
    'Сравнивает и выравнивает SUBJECT в двух системах',
  ],
  ['anonymise', 'Removes personal data from SUBJECT', 'обезличивание', 'Убирает личные данные: SUBJECT'],
  ['notify', 'Sends a notice about new SUBJECT', 'уведомление', 'Сообщает о новых записях: SUBJECT'],
] as const;

const SUBJECTS = [
  ['orders', 'заказы'],
  ['tickets', 'обращения'],
  ['contracts', 'договоры'],
  ['employees', 'сотрудники'],
  ['shipments', 'отгрузки'],
  ['subscriptions', 'подписки'],
  ['vendors', 'поставщики'],
  ['refunds', 'возвраты'],
  ['leads', 'заявки'],
  ['devices', 'устройства'],
] as const;

const own: KeptRecord[] = OWN.trim()
  .split('\n')
  .map((line) => {
    const [name = '', description = '', instructions = ''] = line.split('|').map((part) => part.trim());
    return { name, description, instructions };
  });

const lookAlikes: KeptRecord[] = ACTIONS.flatMap(([verb, english, noun, russian]) =>
  SUBJECTS.flatMap(([subject, predmet]) => [
    { name: `${verb}_${subject}`, description: english.replace('SUBJECT', subject), instructions: '' },
    { name: `${noun}_${predmet}`, description: russian.replace('SUBJECT', predmet), instructions: '' },
  ]),
);

/** Two hundred records. */
export const KEPT_RECORDS: KeptRecord[] = [...own, ...lookAlikes];

/** Queries as people type them, with the record meant. Written before the similarity was. */
export const SIMILARITY_QUERIES: [query: string, name: string][] = [
  ['weekly sales report', 'weekly_sales_report'],
  ['report sales week', 'weekly_sales_report'],
  ['wekly sles reprot', 'weekly_sales_report'],
  ['old pull requests still open', 'open_prs_digest'],
  ['close stale github isues', 'stale_issue_closer'],
  ['markdown table from csv', 'csv_to_markdown'],
  ['find duplicat files', 'duplicate_file_finder'],
  ['notes of a meeting in notion', 'notion_meeting_notes'],
  ['customer chrun', 'customer_churn_estimate'],
  ['sugest indexes for slow mongo queries', 'mongo_index_advisor'],
  ['is the backup of the database ok', 'backup_check'],
  ['compare screenshots', 'screenshot_compare'],
  ['convert curency', 'currency_convert'],
  ['who is on-call', 'on_call_rotation'],
  ['broken links', 'link_checker'],
  ['VAT from invoices', 'invoice_pdf_reader'],
  ['errors per hour in log', 'log_error_histogram'],
  ['export shipments', 'export_shipments'],
  ['remove personal data from employees', 'anonymise_employees'],
  ['vendors missing fields', 'validate_vendors'],
  ['refunds synchronise', 'sync_refunds'],
  ['count leads by region', 'count_leads'],
  ['отчёт по продажам за неделю', 'недельный_отчёт'],
  ['отчет недельный продажи', 'недельный_отчёт'],
  ['найти дубликаты файлов', 'поиск_дубликатов'],
  ['резервная копия базы', 'проверка_резервных_копий'],
  ['курс волют', 'курс_валют'],
  ['погода выходные', 'погода_на_выходные'],
  ['как отвечать клиенту', 'тон_переписки'],
  ['кто дежурит', 'дежурства'],
  ['битые сылки на странице', 'проверка_ссылок'],
  ['остаток товара склад', 'остатки_на_складе'],
  ['сверить платежи со счетами', 'сверка_платежей'],
  ['дни отпуска', 'отпуск_сотрудников'],
  ['маршрут по адресам', 'маршрут_доставки'],
  ['настроение отзыва', 'оценка_отзывов'],
  ['выгрузить договоры в таблицу', 'выгрузка_договоры'],
  ['архив обращений', 'архив_обращения'],
  ['уведомление о возвратах', 'уведомление_возвраты'],
  ['перевести докумнет на английский', 'перевод_документов'],
];
