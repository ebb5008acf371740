package dev.stowage.process;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The lines of system properties with the host regions of Stowage's allocators: {@code
 * dev.stowage.region.START=END}.
 */
record RegionLines(List<MatchResult> lines) {

  private static final Pattern LINE =
      Pattern.compile("(?m)^dev\\.stowage\\.region\\.(\\p{XDigit}{1,15})=(\\p{XDigit}{1,15})\\s*$");

  /** {@return the lines of regions among all properties} */
  static RegionLines of(String properties) {
    return new RegionLines(LINE.matcher(properties).results().toList());
  }

  String text() {
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(line.group().strip()).append('\n'));
    return text.toString();
  }

  /** {@return the bytes of a mapping that regions cover} */
  long commonBytes(Mapping mapping) {
    return lines.stream()
        .mapToLong(line ->
            Math.min(mapping.end(), Long.parseLong(line.group(2), 16))
                - Math.max(mapping.start(), Long.parseLong(line.group(1), 16)))
        .filter(bytes -> bytes > 0)
        .sum();
  }
}
