package dev.stowage.fleet.flink;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of the file with the results of a batch.
 *
 * @param batch the number of the batch
 * @param itemCount the number of results
 * @param failedCount the results that are errors
 * @param cachedCount the results from the cache
 */
record PartName(int batch, int itemCount, int failedCount, int cachedCount) {

  private static final Pattern NAME =
      Pattern.compile("part-(\\d+)-items-(\\d+)-failed-(\\d+)-cached-(\\d+)[.]jsonl");

  String name() {
    return String.format(
        Locale.ROOT,
        "part-%d-items-%d-failed-%d-cached-%d.jsonl",
        batch,
        itemCount,
        failedCount,
        cachedCount);
  }

  /** {@return the part of a name, or empty if the name is that of another file} */
  static Optional<PartName> parse(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches()
        ? Optional.of(
            new PartName(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)),
                Integer.parseInt(matcher.group(4))))
        : Optional.empty();
  }
}
