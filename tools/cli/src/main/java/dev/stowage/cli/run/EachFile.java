package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.plan.WorkInterruptedException;
import java.util.List;
import java.util.function.BiConsumer;
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
   * @param failures receives each file without a result, and the reason
   */
  public static int run(
      CommandSpec command,
      List<String> files,
      String done,
      Work work,
      BiConsumer<String, String> failures) {
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
        omitted.forEach(it -> failures.accept(it, "interrupted: not " + done));
        break;
      } catch (ParameterException e) {
        throw e; // an option that is wrong for this file
      } catch (Exception | Error e) {
        ofFile = diagnostics.reportFailure(file, e);
        failures.accept(file, diagnostics.failureText(file, e));
      }
      exitCode = ExitCode.graver(exitCode, ofFile);
    }
    return exitCode;
  }
}
