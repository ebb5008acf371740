package dev.stowage.fleet.worker;

import java.util.Map;

/** The environment variables of worker processes. */
final class WorkerEnvironment {

  /*
   * In the C locale, and in one that is not installed, the JVM cannot open files with names that are
   * not ASCII. Linux has a locale for them without a language. macOS has not, and its JVM needs none.
   */

  private WorkerEnvironment() {}

  /**
   * Gives a process file names in UTF-8 and texts of the system in English, and prevents that ONNX
   * Runtime reports to its vendor.
   */
  static void set(Map<String, String> environment) {
    environment.put("ORT_DISABLE_TELEMETRY", "1");
    if (System.getProperty("os.name").equals("Linux")) {
      environment.put("LC_ALL", "C.UTF-8");
      environment.remove("LANGUAGE");
    }
  }
}
