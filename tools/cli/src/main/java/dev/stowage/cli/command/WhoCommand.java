package dev.stowage.cli.command;

import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.option.WholeNumberConverter;
import dev.stowage.cli.report.WhoAnswer;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.Usage;
import dev.stowage.console.ExitCode;
import dev.stowage.process.MemoryByOwner;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage who}: divides the resident memory of a process among its owners. */
@Command(
    name = "who",
    sortOptions = false,
    description = {
      // The list of commands has the first line.
      "Divides the resident memory (RSS) of a running process among its owners.",
      "The parts add up to the resident bytes that the kernel reports. The command asks the virtual",
      "machine of a Java process, without a restart and without a garbage collection. Of other",
      "processes, it shows what the kernel knows. It needs Linux, and the rights of the user of the",
      "process."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  Who has the memory of my service?", "    stowage who $(pgrep -f my-service.jar)"})
public final class WhoCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "PID",
      converter = WholeNumberConverter.class,
      description = "The number of the process, as jps and ps print it.")
  private long pid;

  @Mixin private TableOrJson format = new TableOrJson();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (pid < 1) {
      throw Usage.error(spec, "PID is %d, expected 1 or more", pid);
    }
    Diagnostics diagnostics = Diagnostics.of(spec);
    String name = "process " + pid;
    try {
      MemoryByOwner memory = MemoryByOwner.of(pid);
      memory.notes().forEach(note -> diagnostics.note(name, note));
      format.printer().print(WhoAnswer.of(memory), spec.commandLine().getOut());
      return ExitCode.DONE;
    } catch (NoSuchFileException e) {
      diagnostics.report(
          "%s: does not exist or has ended, expected the number of a running process on Linux",
          name);
    } catch (AccessDeniedException e) {
      diagnostics.report(
          "%s: its memory must not be read, expected a process of your own; or run the command as"
              + " root",
          name);
    }
    return ExitCode.BAD_INPUT;
  }
}
