package dev.stowage.fleet.worker;

import java.util.List;
import java.util.Map;

/** The locale of worker processes. */
final class Locales {

  private static final List<String> NAMES = List.of("LC_ALL", "LC_CTYPE", "LANG");

  private Locales() {}

  /**
   * {@return the variables that give a process file names in UTF-8; none if it has them}
   *
   * @param environment the environment of the process
   */
  static Map<String, String> utf8(Map<String, String> environment) {
    String locale =
        NAMES.stream()
            .map(name -> environment.getOrDefault(name, ""))
            .filter(value -> !value.isEmpty())
            .findFirst()
            .orElse("C");
    return locale.equals("C") || locale.equals("POSIX") ? Map.of("LC_ALL", "C.UTF-8") : Map.of();
  }
}
