package dev.stowage.process;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options of a virtual machine that differ from its defaults, as {@code VM.flags} prints them.
 */
final class VmFlags {

  private static final Pattern FLAG = Pattern.compile("-XX:(?:([A-Za-z0-9]+)=(\\S+)|([+-])(\\w+))");

  private static final Map<String, String> COLLECTORS =
      Map.of(
          "UseG1GC", "G1",
          "UseZGC", "ZGC",
          "UseShenandoahGC", "Shenandoah",
          "UseParallelGC", "Parallel",
          "UseSerialGC", "Serial",
          "UseEpsilonGC", "Epsilon");

  private final Map<String, String> values = new HashMap<>();

  VmFlags(String text) {
    Matcher flag = FLAG.matcher(text);
    while (flag.find()) {
      if (flag.group(1) != null) {
        values.put(flag.group(1), flag.group(2));
      } else {
        values.put(flag.group(4), flag.group(3));
      }
    }
  }

  /** {@return the value of an option that is a number; empty if it has its default} */
  OptionalLong number(String name) {
    String value = values.getOrDefault(name, "");
    return value.matches("\\d{1,18}")
        ? OptionalLong.of(Long.parseLong(value))
        : OptionalLong.empty();
  }

  boolean isOn(String name) {
    return values.getOrDefault(name, "").equals("+");
  }

  /** {@return the name of the garbage collector, if it is known} */
  Optional<String> collector() {
    return COLLECTORS.entrySet().stream()
        .filter(collector -> isOn(collector.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
