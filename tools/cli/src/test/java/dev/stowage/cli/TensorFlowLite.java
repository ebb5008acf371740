package dev.stowage.cli;

import java.io.File;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * TensorFlow Lite in tests. No module requires its jar, so that Maven puts it on the class path.
 */
final class TensorFlowLite {

  private TensorFlowLite() {}

  /** {@return true if this machine can run it} */
  static boolean isSupported() {
    return System.getProperty("os.name").equals("Linux")
        && System.getProperty("os.arch").equals("amd64");
  }

  /** {@return the module path of this process, and the jar} */
  static String modulePath() {
    return Stream.of(System.getProperty("jdk.module.path"), System.getProperty("java.class.path"))
        .flatMap(path -> Stream.of(path.split(File.pathSeparator, -1)))
        .filter(entry -> !entry.isEmpty())
        .filter(entry ->
            System.getProperty("jdk.module.path").contains(entry)
                || entry.endsWith("-linux-x86_64.jar"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
