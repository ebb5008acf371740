package dev.stowage.cli;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of several commands in one process. The JVM records the classes and methods that the
 * commands use. The script {@code stowage} starts it when it builds.
 */
public final class Training {

  private static final String SEPARATOR = "--then";

  private Training() {}

  /**
   * Runs commands, and ignores their output and their exit codes.
   *
   * @param args the commands, separated by {@code --then}
   */
  public static void main(String[] args) {
    List<String> command = new ArrayList<>();
    for (String arg : args) {
      if (arg.equals(SEPARATOR)) {
        Stowage.run(OutputStream.nullOutputStream(), command.toArray(String[]::new));
        command.clear();
      } else {
        command.add(arg);
      }
    }
    Stowage.run(OutputStream.nullOutputStream(), command.toArray(String[]::new));
    System.exit(0);
  }
}
