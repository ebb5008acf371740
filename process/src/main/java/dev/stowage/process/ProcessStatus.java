package dev.stowage.process;

/** The text of {@code /proc/PID/status}. */
record ProcessStatus(String text) {

  private String field(String name) {
    return text.lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElse("");
  }

  String command() {
    return field("Name");
  }

  /** {@return the number of the process; 0 if it is not known} */
  long pid() {
    return number(field("Pid"));
  }

  /** {@return true if the process has ended, and its parent has not read its exit status} */
  boolean hasEnded() {
    return field("State").startsWith("Z") || field("State").startsWith("X");
  }

  /** {@return the resident bytes; 0 if they are not known} */
  long residentBytes() {
    return number(field("VmRSS").replace(" kB", "")) * 1024;
  }

  /** {@return true if a signal or a debugger has stopped the process} */
  boolean isStopped() {
    return field("State").startsWith("T") || field("State").startsWith("t");
  }

  /** {@return the number of the process in its own namespace} */
  long numberInside() {
    String numbers = field("NSpid");
    return number(numbers.substring(numbers.lastIndexOf('\t') + 1));
  }

  /** {@return the number of threads; 0 if it is not known} */
  long threads() {
    return number(field("Threads"));
  }

  private static long number(String text) {
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
  }
}
