package dev.stowage.fleet.worker;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The end of a process in words. They have no addresses and no process ids, so that they are equal
 * in each sweep.
 *
 * @param status the exit status; above 128, the number of a signal is added to 128
 * @param lines the last lines that the process printed
 */
record ProcessEnd(int status, List<String> lines) {

  private static final int SIGNALLED = 128;
  private static final int KILL = 9;
  private static final int SHOWN_LINES = 5;

  private static final Map<Integer, String> SIGNALS =
      Map.of(
          4, "SIGILL", 6, "SIGABRT", 7, "SIGBUS", 8, "SIGFPE", KILL, "SIGKILL", 11, "SIGSEGV", 15,
          "SIGTERM", 24, "SIGXCPU");

  /** The lines in which the JVM reports a crash. */
  private static final Pattern CRASH =
      Pattern.compile("^#\\s+(SIG[A-Z]+|Internal Error|Out of Memory Error)\\b.*");

  private static final Pattern FRAME = Pattern.compile("^# ([CVvJj]  ?\\S.*)");
  private static final Pattern ADDRESS = Pattern.compile("\\s*\\+?0x[0-9a-f]{9,}");

  /** {@return the reason, such as a signal} */
  String reason() {
    if (status <= SIGNALLED) {
      // A JVM that may not write a core file reports a crash and exits with status 1.
      return crash()
          .map(crash -> "its worker crashed: " + crash)
          .orElse("its worker ended with exit status " + status);
    }
    int signal = status - SIGNALLED;
    String name = SIGNALS.containsKey(signal) ? " (" + SIGNALS.get(signal) + ")" : "";
    String ended = "its worker ended with signal " + signal + name;
    if (signal == KILL) {
      return ended + ", for example because the memory of the machine is exhausted";
    }
    return crash().map(crash -> ended + ": " + crash).orElse(ended);
  }

  /** {@return the last lines, unless they are the report of the JVM on a crash} */
  List<String> details() {
    if (crash().isPresent()) {
      return List.of();
    }
    return lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size());
  }

  private Optional<String> crash() {
    String kind = "";
    String frame = "";
    for (String line : lines) {
      Matcher crash = CRASH.matcher(line);
      Matcher shown = FRAME.matcher(line);
      if (kind.isEmpty() && crash.matches()) {
        kind = crash.group(1);
      } else if (frame.isEmpty() && shown.matches()) {
        frame = ADDRESS.matcher(shown.group(1)).replaceAll("").strip();
      }
    }
    if (kind.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(frame.isEmpty() ? kind : kind + " in " + frame);
  }
}
