# 数値がどのように得られたか。$os はシステム名（linux、windows、macos）。
evidence-heading = 計測の根拠
evidence-line = { $workload }: { $text }
# 一部の回だけに当てはまる場合。
evidence-line-some = { $workload }: { $text }（{ $total }回中{ $count }回）

evidence-write-direct =
    { $os ->
        [linux] このコンピューターのキャッシュを経由せず、ブロックごとに永続化の応答を確認（O_DIRECT、O_DSYNC）
        [windows] このコンピューターのキャッシュを経由せず、ブロックごとに永続化の応答を確認（バッファリングなし、ライトスルー）
       *[other] このコンピューターのキャッシュを経由せず、ブロックごとに永続化の応答を確認
    }
evidence-write-cached =
    { $os ->
        [linux] このコンピューターのキャッシュを経由し、ブロックごとに永続化の応答を確認（O_DSYNC）
        [windows] このコンピューターのキャッシュを経由し、ブロックごとに永続化の応答を確認（ライトスルー）
       *[other] このコンピューターのキャッシュを経由し、ブロックごとに永続化の応答を確認
    }
evidence-write-flushed = このコンピューターのキャッシュを経由し、最後の1回のフラッシュ（計測時間に含む）で永続化の応答を確認
evidence-write-acknowledged = サーバーの応答を確認。このプロトコルでは永続化を確認できないため、サーバーのメモリーまでの可能性がある
evidence-write-buffered = このコンピューターのキャッシュ経由で、永続化は求めていない。時間に含まれるのは、ファイルを閉じるときに送られた分まで

evidence-read = { $mode }。{ $proof }
evidence-read-direct =
    { $os ->
        [linux] このコンピューターのキャッシュを経由しない（O_DIRECT）
        [windows] このコンピューターのキャッシュを経由しない（バッファリングなし）
       *[other] このコンピューターのキャッシュを経由しない
    }
evidence-read-dropped = ファイルをキャッシュから追い出してから、このコンピューターのキャッシュを経由
evidence-read-cached = このコンピューターのキャッシュを経由（キャッシュからの応答を許可）
evidence-proof-empty = 読み出し開始時、ファイルはキャッシュにまったく残っていない（{ $tool }で確認）
evidence-proof-resident = 読み出し開始時、ファイルのうち最大{ $bytes }がキャッシュに残っていた（{ $tool }で確認）
evidence-proof-accepted = システムはこの要求を受け入れた。ほかに裏付けはない
evidence-proof-refused = Windowsのネットワーククライアントが、手元にコピーを持たない指定（FSCTL_DISABLE_LOCAL_BUFFERING）を拒否。そのコピーから応答した可能性がある
evidence-proof-own-protocol = sharemark自身がプロトコルで通信するため、このコンピューターのキャッシュは介在しない
evidence-proof-none = キャッシュの中身を示すものはない

evidence-content = 内容: 読み出した全バイトを書き込んだ内容と比較し、読み出し{ $total }回中{ $right }回が一致（書き込み{ $written }のうち{ $read }）
evidence-data-both = データ: { $data }。このコンピューターの生成速度は{ $made }、照合速度は{ $checked }
evidence-data-made = データ: { $data }。このコンピューターの生成速度は{ $made }
evidence-data-checked = データ: { $data }。このコンピューターの照合速度は{ $checked }
evidence-server-acknowledged = サーバー: 「応答を確認」とは、サーバーが書き込み完了と答えたこと。その時点でディスクに書かれているかはサーバーの設定による
evidence-server-memory = サーバー: 各ファイルは書き込みの{ $settle }後に読み出したため、サーバーが自身のメモリーから応答した可能性がある
evidence-wire-agrees = 回線: { $total }回の計測のうち{ $count }回で、{ $interface }を通ったバイト数が計測値と一致
evidence-wire-none = 回線: ネットワーク上のバイト数と経路は調べていない
evidence-write-protocol = sharemark自身のプロトコル通信で書き込み、ブロックごとに永続化の応答を確認
evidence-write-protocol-flushed = sharemark自身のプロトコル通信で書き込み、最後の1回のフラッシュ（計測時間に含む）で永続化
evidence-both = 書き込みは{ $written }。読み出しは{ $read }
evidence-names-client = このコンピューターのクライアントに問い合わせた。クライアントが自身のメモリーから応答した可能性がある
evidence-names-server = 毎回サーバーに問い合わせた
evidence-content-read = 内容: 読み出した全バイトを書き込んだ内容と比較し、{ $total }回中{ $right }回が一致（{ $read }）
evidence-content-written = 内容: ランダムに書き込んだブロックの一部を計測後に読み戻して比較し、{ $total }回中{ $right }回が一致
evidence-read-protocol = sharemark自身のプロトコル通信で読み出したため、このコンピューターのキャッシュは介在しない
evidence-connection = 接続: { $facts }
connection-plain = { $value }
connection-dialect = SMB { $value }
connection-version = NFS { $value }
connection-export = エクスポート{ $value }
connection-tls = TLS { $value }
connection-cipher = 暗号 { $value }
connection-signing = 署名 { $value }
connection-encryption = 暗号化 { $value }
connection-login = ログイン { $value }
connection-connections = 接続数{ $value }
connection-credits = クレジット{ $value }
connection-max-read = 1回の読み出しは最大{ $value }
connection-max-write = 1回の書き込みは最大{ $value }
connection-connect = 接続に{ $value }
connection-login-time = ログインに{ $value }
connection-round-trip = 往復時間{ $value }
