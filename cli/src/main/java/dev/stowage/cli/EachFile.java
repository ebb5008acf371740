package dev.stowage.cli;

import dev.stowage.cli.plan.WorkInterruptedException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Work on each file of a command line. A failure of one file does not affect the others. */
final class EachFile {

  private EachFile() {}

  /** The work on one file. */
  interface Work {

    /** Processes a file and {@return its exit code} */
    int run(int index, String file) throws Exception;
  }

  /** A listener for the exit codes of files. */
  interface Listener {

    /** Receives the exit code of a file, after its messages are printed. */
    void finished(String file, int exitCode);
  }

  /**
   * Processes the files in their order, reports failures, and {@return the gravest exit code}
   *
   * @param command reports the failures
   * @param done the participle for a processed file in messages, such as {@code checked}
   */
  static int run(CommandSpec command, List<String> files, String done, Work work) {
    return run(command, files, done, work, (_, _) -> {});
  }

  /**
   * Processes the files in their order, reports failures, and {@return the gravest exit code}
   *
   * @param command reports the failures
   * @param done the participle for a processed file in messages, such as {@code checked}
   * @param listener receives the exit code of each file that was processed
   */
  static int run(
      CommandSpec command, List<String> files, String done, Work work, Listener listener) {
    Diagnostics diagnostics = Diagnostics.of(command);
    int exitCode = ExitCode.DONE;
    for (int i = 0; i < files.size(); i++) {
      String file = files.get(i);
      int ofFile;
      try {
        ofFile = work.run(i, file);
      } catch (WorkInterruptedException e) {
        diagnostics.reportInterruption(done, files.subList(i, files.size()));
        break;
      } catch (Exception | Error e) {
        ofFile = diagnostics.reportFailure(file, e);
      }
      listener.finished(file, ofFile);
      exitCode = ExitCode.graver(exitCode, ofFile);
    }
    return exitCode;
  }
}
