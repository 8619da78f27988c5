# 失敗: 何をどこで行おうとしたか、何が問題か、システムの応答、次にすること。
failure-line = { $tried }: { $matter }。
failure-line-other = { $tried }。
failure-no-room = { $place } には十分な空き容量がありません。
failure-interrupted = ユーザーの操作で実行を中止しました。
failure-space = 必要な容量: { $needed }、使える空き容量: { $available }
failure-size = 本来のサイズ: { $needed }、実際のサイズ: { $available }
failure-offset = ファイルの先頭から{ $offset }バイトの位置。
failure-system = システムの応答: { $text }
failure-advice = 対処: { $advice }

# 何をしようとしたか。
failure-tried-inspect = { $place } を調べられませんでした
failure-tried-create-folder = { $place } にフォルダーを作成できませんでした
failure-tried-create = { $place } を作成できませんでした
failure-tried-write = { $place } に書き込めませんでした
failure-tried-flush = { $place } をフラッシュできませんでした
failure-tried-close = { $place } を閉じられませんでした
failure-tried-open = { $place } を開けませんでした
failure-tried-read = { $place } を読み出せませんでした
failure-tried-verify = { $place } の照合で問題が見つかりました
failure-tried-remove = { $place } を削除できませんでした
failure-tried-worker = { $place } のワーカープロセスに問題が起きました
failure-tried-manifest = 作成ファイルの一覧 { $place } を保存できませんでした
failure-tried-history = 履歴 { $place } を使えませんでした
failure-tried-output = 結果を { $place } に書き込めませんでした

# 何が問題か。コロンの後に続く。
failure-code-not-found = 見つかりません
failure-code-not-a-folder = フォルダーではありません
failure-code-no-permission = このユーザーにはアクセス権がありません
failure-code-root-squash = NFSサーバーがrootを権限のないユーザーとして扱っています（root_squash）
failure-code-read-only = 共有またはファイルシステムが読み取り専用です
failure-code-no-space = 空き容量が足りません
failure-code-quota = クォータ（割り当て容量）を使い切っています
failure-code-name-too-long = 名前またはパスがファイルシステムの上限より長くなります
failure-code-not-empty = sharemarkが作ったもの以外が入っています
failure-code-not-storage = カーネルが内容を作り出すフォルダーで、ファイルは保存されません
failure-code-not-unicode = 名前が正しいUnicodeではありません
failure-code-server-gone = サーバーが応答しないか、接続が切れました
failure-code-input-output = デバイスまたはサーバーが転送の失敗を報告しました
failure-code-stalled = 制限時間を超えて何も進みませんでした
failure-code-worker-died = プロセスが理由を告げずに終了しました
failure-code-interrupted = ユーザーが実行を中止しました
failure-code-mismatch = 読み出した内容が書き込んだ内容と異なります
failure-code-wrong-size = ファイルの長さが書き込んだ長さと異なります
failure-code-unsupported = このバージョンでは計測できない場所です
failure-code-other = 失敗しました

# 次にすること。
failure-advice-not-found = つづりと、共有がマウントされていることを確認してください。引数なしの`sharemark`で、計測できる場所の一覧が出ます。
failure-advice-not-found-windows = つづりと、ドライブが接続されていることを確認してください。管理者として開いたウィンドウからは、割り当てたネットワークドライブが見えません。通常のウィンドウを使うか、サーバー名で始まるパス（\\server\share）を指定してください。引数なしの`sharemark`で、計測できる場所の一覧が出ます。
failure-advice-not-found-later = 書き込んだときには存在したファイルです。ほかのプログラムが削除したか、途中で共有が再接続された可能性があります。もう一度実行してください。
failure-advice-not-found-output = 先にそのファイルのフォルダーを作るか、別の場所のファイルを指定してください。
failure-advice-not-a-folder = それを含むフォルダーを指定してください: { $command }
failure-advice-not-a-folder-plain = 共有の中のフォルダーを指定してください。
failure-advice-no-permission = 共有の中の書き込めるフォルダーを指定するか、サーバーの管理者に書き込み権限を依頼してください。このコンピューターの管理者権限は不要です。
failure-advice-no-permission-read = 書き込めたファイルを読み出せません。共有の権限が想定と異なります（投函専用のフォルダー、新しいファイルの所有者が別、など）。読み書き両方ができるフォルダーを指定してください。
failure-advice-no-permission-local = 書き込めるフォルダーにあるファイルを指定してください。
failure-advice-root-squash = そこに書き込める一般ユーザーで（sudoなしで）sharemarkを実行するか、計測の間だけサーバー側でno_root_squashを指定してください。
failure-advice-read-only = 書き込みできるようにマウントし直すか、書き込める共有のフォルダーを指定してください。sharemarkは、読み出すファイルを自分で書き込みます。
failure-advice-no-space = 空き容量を増やすか、`--size`を小さくしてください。
failure-advice-no-space-local = 空き容量を増やすか、別のディスクのファイルを指定してください。
failure-advice-quota = 自分のファイルを減らすか、クォータを増やしてもらうか、`--size`を小さくしてください。
failure-advice-name-too-long = 共有の上位にある、パスの短いフォルダーを指定してください。
failure-advice-not-storage = 共有またはディスクのフォルダーを指定してください。引数なしの`sharemark`で、計測できる場所の一覧が出ます。
failure-advice-not-unicode = フォルダーの名前を変えるか、正しい文字コードで共有をマウントしてください（LinuxのSMBならiocharset=utf8）。
failure-advice-server-gone = サーバーの電源と、接続（名前、VPN、Wi-Fi）を確認してから、もう一度実行してください。それまでの計測結果は残っています。
failure-advice-server-gone-inspect = サーバーの電源と、接続（名前、VPN、Wi-Fi）を確認してください。問題がなければ、共有に接続し直してもう一度実行してください。
failure-advice-input-output = もう一度実行してください。再現するなら、サーバーのログとディスクの状態（SMART）を調べてください。正常な機器では、計測でこのエラーが起きることはありません。
failure-advice-input-output-local = もう一度実行してください。再現するなら、そのディスクを調べてください。
failure-advice-stalled = とても遅い経路では、1ブロックに制限時間より長くかかることがあります。`--block 1MiB`を使うか、`--stall`を長く（たとえば2m）してください。そうでなければサーバーとの接続を確認してください。それまでの計測結果は残っています。
failure-advice-stalled-flush = サーバーがフラッシュに応答するまでに時間がかかっています。`--stall`を長く（たとえば5m）するか、`--size`を小さくしてください。
failure-advice-stalled-inspect = このフォルダーの先のサーバーが応答しません。サーバーの電源と、接続（名前、VPN、Wi-Fi）を確認するか、共有に接続し直してください。
failure-advice-worker-died = もう一度実行してください。メモリー不足やセキュリティーソフトで終了させられた場合は、システムのログに記録があります。`--block`や`--depth`を小さくすると、使うメモリーが減ります。
failure-advice-interrupted = とくに必要ありません。それまでの計測結果は残っています。中断した実行が残したものがあれば、`sharemark clean`で削除できます。
failure-advice-mismatch = 原因がわかるまで、この共有に大切なデータを置かないでください。もう一度実行し（Wi-Fiだったなら有線で）、次にサーバーのメモリーとディスク、このコンピューターのメモリーを検査してください。
failure-advice-wrong-size = サーバーは書き込み完了と答えましたが、データが揃っていません。サーバーの空き容量とクォータ、ディスクを確認し、原因がわかるまで大切なデータを置かないでください。
failure-advice-unsupported = このバージョンが計測するのはフォルダーです。共有をマウントして、そのフォルダーを指定してください（たとえば`sharemark run /mnt/nas`、Windowsでは\\server\shareも可）。
failure-advice-history = `--history none`で履歴なしで続けるか、`--history PATH`で別の場所を指定してください。
failure-advice-manifest = sharemarkは消し忘れを防ぐため、ファイルを作る前にその名前をこのコンピューターの一覧に記録します。その場所に書き込めるようにしてから、もう一度実行してください。
failure-advice-not-empty = 中のファイルを別の場所に移してから、`sharemark clean`を実行してください。削除するのはsharemarkが作ったファイルだけです。
failure-advice-remove = `sharemark clean`でもう一度削除を試せます。削除するのはsharemarkが作ったファイルだけです。
failure-advice-output = 別のファイルを指定するか、`-`で標準出力に書き出してください。
failure-advice-other = 上のシステムの応答から原因がわからなければ、もう一度実行してください。再現するなら、その応答を添えて報告してください。
