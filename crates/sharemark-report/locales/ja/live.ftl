# 実行中の状況を示す行。
live-round-of = { $round }/{ $of }
live-round = { $round }回目
live-left = 残り{ $time }
live-operations = { $n }件

live-stage-preparing = 準備中
live-stage-opening = ファイルを開いています
live-stage-transferring = 転送中
live-stage-flushing = フラッシュ中
live-stage-closing = ファイルを閉じています
live-stage-verifying = 内容を照合中
live-stage-housekeeping = 後始末中

# ログ用に、1フェーズにつき1行。
live-done = { $target }、{ $round }回目、{ $workload }: { $rate }（{ $size }を{ $time }で）
live-done-verified = { $target }、{ $round }回目、{ $workload }: { $rate }（{ $size }を{ $time }で、内容は一致）
live-done-files = { $target }、{ $round }回目、{ $workload }: { $rate }（{ $n }件を{ $time }で）
live-done-files-verified = { $target }、{ $round }回目、{ $workload }: { $rate }（{ $n }件を{ $time }で、内容は一致）
live-done-wrong = { $target }、{ $round }回目、{ $workload }: 内容の不一致。集計から除外
live-done-partial = { $target }、{ $round }回目、{ $workload }: { $size }で中断（{ $matter }）。集計から除外
live-done-partial-plain = { $target }、{ $round }回目、{ $workload }: { $size }で中断。集計から除外
live-preparing = 次の計測で使うファイルの準備
