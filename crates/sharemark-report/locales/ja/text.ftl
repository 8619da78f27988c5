# 計測先ごとの見出しとその部品。
text-headline = { $name }（{ $details }）: { $rates }
text-headline-plain = { $name }: { $rates }
text-headline-rate = { $workload } { $rate }
text-headline-more = ほか{ $n }件は下の表
text-headline-first = { $workload } { $rate }（1回目を除くと{ $without }）
text-headline-none = { $workload }: 完了した計測なし
text-headline-cached = { $workload } { $rate }（このコンピューターのキャッシュが応答した可能性あり）
text-headline-not-durable = { $workload } { $rate }（永続化なし）
text-kind-local = このコンピューターのディスク。共有ではない
text-kind-memory = このコンピューターのメモリー。共有ではない
text-kind-network = ネットワークドライブ

# 最後まで終わらなかった実行。
text-partial = この結果は途中までのものです。予定の計測を終える前に実行が止まりました。
text-partial-refused = この結果は途中までのものです。完了しなかった計測があり、その値は集計から除いてあります。
text-unfinished = この結果は途中までのものです。レポートを書き終える前に実行が外部から終了させられました。
text-partial-sample = { $round }回目の{ $workload }、{ $target }:
text-partial-more = このほかに途中で終わった計測が{ $n }件あります。詳細はJSONレポートにあります。
text-wrong-content =
    { $total ->
        [1] 内容の不一致: 読み出した内容が書き込んだ内容と異なります。原因がわかるまで、この共有に大切なデータを置かないでください。
       *[other] 内容の不一致（検証{ $total }回中{ $wrong }回）: 読み出した内容が書き込んだ内容と異なります。原因がわかるまで、この共有に大切なデータを置かないでください。
    }

# 表。
text-column-workload = 計測内容
text-column-mean = 平均 MB/s
text-column-per-second = 平均 件/秒
text-column-megabytes = MB/s
text-column-interval = 95%信頼区間
text-column-mebibytes = MiB/s
text-column-megabits = Mbit/s
text-column-range = 最小〜最大
text-column-rounds = 回数
text-row-narrow = { $workload }: { $mean }、95%信頼区間 { $interval }、{ $rounds }
text-row-none = { $workload }: 完了した計測なし

# 1回目だけ違うとき。
text-first-heading = 1回目は別扱い
text-first = { $workload }: 1回目は{ $first }でした。1回目を除いた平均は{ $mean }（95%信頼区間 { $interval }、{ $rounds }）です。
text-first-single = { $workload }: 1回目は{ $first }でした。1回目を除いた平均は{ $mean }（{ $rounds }）です。

# 注意。
text-warnings-heading = 注意

# 計測方法（同じ計測を再現するため）。
text-method-heading = 計測方法
text-method-transfer =
    { $depth ->
        [1] ファイルサイズ{ $size }、ブロック{ $block }を1つずつ。{ $limit }
       *[other] ファイルサイズ{ $size }、ブロック{ $block }を同時に{ $depth }個。{ $limit }
    }
text-method-size = ファイルサイズ{ $size }。{ $limit }
text-method-time = 1フェーズは最長{ $time }
text-method-no-time = 時間制限なし
text-method-strict = 永続性 { $durability }、読み出しキャッシュ { $cache }、データ { $data }
text-method-rounds = { $done }回（予定{ $least }〜{ $most }回、±{ $precision }に収まるか{ $budget }まで）
text-method-rounds-fixed = { $most }回中{ $done }回
text-method-waits = 書き込みと読み出しの間{ $settle }、各回の間{ $pause }
text-method-made = プロファイル { $profile }、sharemark { $version }、{ $host }、{ $date } UTC
text-method-id = レポート { $id }
text-column-operations = 件/秒（中央値）
text-column-p50 = 中央値 ms
text-column-p90 = 90%点
text-column-p99 = 99%点
text-column-max = 最長
text-latency-narrow = { $workload }: 中央値{ $p50 }、99%は{ $p99 }以内
text-method-files = 小さいファイル{ $count }個（サイズ構成 { $mix }）。{ $limit }
