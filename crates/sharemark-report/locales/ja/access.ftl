# ログイン: ユーザー、パスワード、その入手元。どのメッセージにもパスワードは含めない。
cli-access-password-in-address = アドレスに書いたパスワードはシェルの履歴に残り、sharemarkの実行中はこのコンピューターのほかのプログラムからもプロセス一覧で見えます。アドレスには書かず、`--user NAME`（パスワードを尋ねます）、`--credentials FILE`、環境変数SHAREMARK_PASSWORDのいずれかを使ってください。
cli-access-question = { $host } の { $user } のパスワード:
cli-access-question-host = { $host } のパスワード:
cli-access-no-password = { $host } の { $user } のパスワードが指定されておらず、尋ねるための端末もありません。`--credentials FILE`または環境変数SHAREMARK_PASSWORDで指定してください。`--guest`を付けるとユーザーなしで接続します。
cli-access-no-terminal = パスワードを尋ねるための端末がありません。`--ask-password`を外し、`--credentials FILE`または環境変数SHAREMARK_PASSWORDで指定してください。
cli-access-no-user = パスワードを尋ねる指定がありますが、ユーザーが分かりません。`--user NAME`を付けるか、アドレス { $place } のサーバー名の前にユーザー名を書いてください（例: smb://me@nas/share）。
cli-access-not-asked = パスワードが入力されませんでした: { $system }
cli-access-user-form = NAMEまたはDOMAIN\NAMEの形で指定してください

# 認証情報ファイル。
cli-access-file-unreadable = 認証情報ファイル { $path } を読み取れませんでした: { $system }
cli-access-file-open = 認証情報ファイル { $path } は、このコンピューターのほかのユーザーにも読める設定です。先に`{ $command }`を実行して、自分だけが読めるようにしてください。
cli-access-file-not-unicode = 認証情報ファイル { $path } はUTF-8で書かれていません。
cli-access-file-too-long = { $path } は認証情報ファイルとしては大きすぎます。
cli-access-file-line = 認証情報ファイル { $path } の{ $line }行目は、username=...、password=...、domain=...のいずれでもありません（#で始まる行はコメント）。

# 接続の指定。最初の2つはコロンの後に続く。
cli-error-no-file = ファイルを使えません: { $system }
cli-error-file-is-folder = フォルダーです
cli-error-not-text = パスが正しいUnicodeではありません
cli-error-connections = 接続数は1から64までです（指定された値: { $value }）。
cli-error-no-config-dir = このシステムでは、プログラムの設定を置くフォルダーが分かりません。環境変数 SHAREMARK_CONFIG に、sharemark が使ってよいフォルダーを設定してください。

# 保存した計測先。
cli-target-none = 保存した計測先はまだありません。`sharemark target add NAME LOCATION`で保存できます。
cli-target-listed = { $name } = { $location }
cli-target-listed-user = { $name } = { $location }（ユーザー { $user }）
cli-target-added = 保存しました。計測するには`{ $command }`と入力してください。
cli-target-removed = { $name } を削除しました。
cli-target-exists = { $name } という計測先はすでに保存されています。置き換えるには`{ $force }`を付けてください。
cli-target-unknown = { $name } という計測先は保存されていません。`sharemark target list`で一覧を表示します。
cli-target-unknown-similar = { $name } という計測先は保存されていません。{ $similar } ではありませんか？
cli-target-similar = `{ $name }`という計測先は保存されていません。`{ $similar }`なら保存されています。
cli-target-folder-taken = `{ $name }`は、ここにあるフォルダーの名前でも、保存した計測先の名前でもあります。今回はフォルダーを使います。保存した計測先を使うには、別のフォルダーに移ってから実行してください。
cli-target-missing-argument = 引数が足りません。保存するには`sharemark target add NAME LOCATION`（例: `sharemark target add lan smb://nas/Public`）、削除するには`sharemark target remove NAME`と入力してください。
cli-target-name-form = 名前に使えるのは文字、数字、-、_です（先頭に-は使えません）
cli-target-password-refused = パスワードを含むアドレスは、ほかの人に読まれるおそれがあるため保存しません。パスワードを外し、`--user NAME --save-password`（システムのキーリングに保存）または`--credentials FILE`を使ってください。
cli-target-save-needs-user = `--save-password`には共有のアドレスとユーザーが必要です。`--user NAME`を付けるか、アドレスに書いてください（例: smb://me@nas/share）。

# 保存した計測先のファイル。3つ目からはコロンの後に続く。
cli-target-file-unreadable = 保存した計測先のファイル { $path } を読み取れませんでした: { $system }
cli-target-file-wrong = 保存した計測先のファイル { $path } に誤りがあります。{ $line }行目: { $reason }
cli-target-unknown-key = { $path } の{ $line }行目: `{ $key }`はこのバージョンにはない項目なので、無視します。
cli-target-no-table = 計測先は[targets.NAME]の行に続けて書いてください
cli-target-no-location = { $name } にlocationがありません
cli-target-no-password = パスワードはここに書けません。システムのキーリングに保存するか（`sharemark target add ... --save-password`）、credentials = "FILE"でファイルを指定してください
cli-target-not-a-text = { $key } は引用符で囲んだ文字列で指定してください
cli-target-connections = connectionsは1から64までの整数で指定してください

# キーリング。
cli-keyring-stored = { $host } の { $user } のパスワードを、システムのキーリングに保存しました。
cli-keyring-missing = このシステムのキーリングを使えません。`--credentials FILE`ならどこでも使えます。
cli-keyring-missing-linux = キーリングを使えません。デスクトップのセッションと、`secret-tool`というプログラム（DebianとUbuntuはlibsecret-tools、FedoraとArchはlibsecretパッケージ）が必要です。`--credentials FILE`ならどこでも使えます。
cli-keyring-failed = システムのキーリングにパスワードを保存できませんでした: { $system }
cli-keyring-not-removed = パスワードがシステムのキーリングに残っている可能性があります: { $system }
