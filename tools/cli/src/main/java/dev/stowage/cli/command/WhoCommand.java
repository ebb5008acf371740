package dev.stowage.cli.command;

import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.run.Usage;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
      "processes, it shows what the kernel knows. Settings follow with which the process would need",
      "less. The command needs Linux, and the rights of the user of the process. It also reads dumps",
      "of processes, on any system."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  Who has the memory of my service?",
      "    stowage who $(pgrep -f my-service.jar)",
      "  How much of its heap is garbage? A full collection stops the service.",
      "    stowage who 4711 --gc",
      "  Keep the figures for later:",
      "    stowage who 4711 --output monday.txt",
      "    stowage who monday.txt"
    })
public final class WhoCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "PROCESS",
      description = {
        "The number of the process, as jps and ps print it; or a dump of a",
        "process, which --output or the script in docs/who.md wrote."
      })
  private String process = "";

  @Option(
      names = "--gc",
      description = {
        "Run a full garbage collection after all figures are read, to divide the",
        "objects into live ones and garbage."
      })
  private boolean collects;

  @Option(
      names = "--trim",
      description = {
        "Let the C library of the process return its free pages first, and print",
        "what it returned."
      })
  private boolean trims;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "Write the figures of the process as a dump to a .txt file.")
  private Optional<String> output = Optional.empty();

  @Mixin private TableOrJson format = new TableOrJson();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    boolean isNumber = process.matches("-?[0-9]+");
    if (isNumber && !process.matches("0*[1-9][0-9]{0,17}")) {
      throw Usage.error(spec, "PROCESS is %s, expected 1 or more", process);
    }
    if ((collects || trims) && !isNumber) {
      throw Usage.error(
          spec,
          "%s needs a running process, but '%s' is a dump",
          collects ? "--gc" : "--trim",
          process);
    }
    if (output.isPresent() && !output.get().endsWith(".txt")) {
      throw Usage.error(spec, "--output is '%s', expected a name that ends in .txt", output.get());
    }
    WhoRun run = new WhoRun(spec, format.printer(), output);
    return isNumber ? run.onProcess(Long.parseLong(process), collects, trims) : run.onDump(process);
  }
}
