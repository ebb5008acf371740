package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.plan.WorkInterruptedException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Work on each file of a command line. A failure of one file does not affect the others. */
public final class EachFile {

  private EachFile() {}

  /** The work on one file. */
  public interface Work {

    /** Processes a file and {@return its exit code} */
    int run(int index, String file) throws Exception;
  }

  /** A listener for the results of files. */
  public interface Listener {

    /** Receives the exit code of a file, after its messages are printed. */
    void finished(String file, int exitCode);

    /** Receives the reason why a file has no result, before its exit code, if it has one. */
    default void failed(String file, String reason) {}
  }

  /**
   * Processes the files in their order, reports failures, and {@return the gravest exit code}
   *
   * @param done the participle for a processed file in messages, such as {@code checked}
   */
  public static int run(CommandSpec command, List<String> files, String done, Work work) {
    return run(command, files, done, work, (_, _) -> {});
  }

  /**
   * Processes the files in their order, reports failures, and {@return the gravest exit code}
   *
   * @param done the participle for a processed file in messages, such as {@code checked}
   * @param listener receives the exit code of each file that was processed, and the reasons of
   *     failures and interruptions
   */
  public static int run(
      CommandSpec command, List<String> files, String done, Work work, Listener listener) {
    Diagnostics diagnostics = Diagnostics.of(command);
    int exitCode = ExitCode.DONE;
    for (int i = 0; i < files.size(); i++) {
      String file = files.get(i);
      int ofFile;
      try {
        ofFile = work.run(i, file);
      } catch (WorkInterruptedException e) {
        List<String> omitted = files.subList(i, files.size());
        diagnostics.reportInterruption(done, omitted);
        omitted.forEach(it -> listener.failed(it, "interrupted: not " + done));
        break;
      } catch (ParameterException e) {
        throw e; // an option that is wrong for this file
      } catch (Exception | Error e) {
        ofFile = diagnostics.reportFailure(file, e);
        listener.failed(file, diagnostics.failureText(file, e));
      }
      listener.finished(file, ofFile);
      exitCode = ExitCode.graver(exitCode, ofFile);
    }
    return exitCode;
  }
}
