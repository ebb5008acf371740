package dev.stowage.fleet;

import dev.stowage.console.ExitCode;
import dev.stowage.fleet.flink.SweepException;
import dev.stowage.fleet.worker.ItemRunner;
import dev.stowage.fleet.worker.ModuleJars;
import dev.stowage.fleet.worker.WorkerAnswer;
import dev.stowage.fleet.worker.WorkerSettings;
import dev.stowage.fleet.worker.WorkerStartException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A worker on the machine of the user, which checks options and draws the page.
 *
 * <p>A client of a cluster works without it if it has no Java 25.
 */
final class ClientWorker {

  private final WorkerSettings settings;
  private final Consumer<String> messages;
  private String version = "";

  /**
   * Creates a worker that has not started.
   *
   * @param settings the settings; without modules, those of the jar of this class are used
   * @param messages receives notes
   */
  ClientWorker(WorkerSettings settings, Consumer<String> messages) {
    this.settings = settings;
    this.messages = messages;
  }

  /** {@return the version of Stowage; empty before the first call of the worker} */
  String version() {
    return version;
  }

  /**
   * {@return the message of a command that rejects its options; empty if it accepts them}
   *
   * @param command the command
   * @param options the options
   */
  Optional<List<String>> refusal(String command, List<String> options) throws InterruptedException {
    List<String> commandLine = new ArrayList<>();
    commandLine.add(command);
    commandLine.addAll(options);
    // A file without a name: the command checks its options, and reads nothing.
    commandLine.addAll(List.of("--format", "json", "--", ""));
    Optional<WorkerAnswer> answer = call(commandLine, "the options are not checked");
    return answer
        .filter(it -> it.exitCode() == ExitCode.USAGE)
        .map(it ->
            it.err().stream()
                .map(line -> line.startsWith("Try '") ? line : "stowage: " + line)
                .toList());
  }

  /**
   * Draws the page of a sweep and {@return true if it was written}
   *
   * @param content the content
   * @param page the page
   */
  boolean drawPage(Path content, Path page) throws InterruptedException {
    Optional<WorkerAnswer> answer =
        call(
            List.of("sweep-page", content.toString(), "--output", page.toString()),
            "there is no page");
    answer.ifPresent(it -> it.err().forEach(messages));
    return answer.filter(it -> it.exitCode() == ExitCode.DONE).isPresent();
  }

  private Optional<WorkerAnswer> call(List<String> commandLine, String consequence)
      throws InterruptedException {
    boolean isCheckout = settings.modules().isPresent();
    try {
      WorkerSettings complete =
          isCheckout ? settings : settings.withModules(ModuleJars.ofThisJar().unpack().toString());
      try (ItemRunner runner = ItemRunner.open(complete)) {
        version = runner.version();
        return Optional.of(runner.call(commandLine));
      }
    } catch (WorkerStartException e) {
      if (isCheckout) {
        throw new SweepException(String.valueOf(e.getMessage()), e);
      }
      messages.accept("note: " + consequence + ": " + e.getMessage());
      return Optional.empty();
    }
  }
}
