package dev.stowage.cli.command;

import dev.stowage.cli.option.SamplingOptions;
import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.OutputFiles;
import dev.stowage.cli.run.PageOutput;
import dev.stowage.cli.run.Usage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
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
      "processes, it shows what the kernel knows. It needs Linux, and the rights of the user of the",
      "process. It also reads dumps of processes, and texts that people paste, on any system."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  Who has the memory of my service?",
      "    stowage who $(pgrep -f my-service.jar) --output who.html",
      "  Which part grows, and why? Sample for ten minutes, or until Ctrl-C without --for.",
      "    stowage who 4711 --every 10s --for 10m --output growth.html",
      "  How much of its heap is garbage? A full collection stops the service.",
      "    stowage who 4711 --gc",
      "  Keep the figures for later, and compare them:",
      "    stowage who 4711 --output monday.txt",
      "    stowage who monday.txt friday.txt"
    })
public final class WhoCommand implements Callable<Integer> {

  @Parameters(
      arity = "1..*",
      paramLabel = "PROCESS",
      description = {
        "The number of the process, as jps and ps print it; or a dump of a",
        "process, which --output or the script in docs/who.md wrote. Several",
        "dumps are compared: what grew, and why. Or files with texts that people",
        "paste: of jcmd, pmap, kubectl describe pod, or the kernel."
      })
  private List<String> processes = List.of();

  @Mixin private SamplingOptions sampling = new SamplingOptions();

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
        "the bytes that it returned."
      })
  private boolean trims;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = {
        "Write an .html page of the memory, or of its growth with --every or several",
        "dumps; or a .txt dump of one process."
      })
  private Optional<String> output = Optional.empty();

  @Mixin private TableOrJson format = new TableOrJson();

  @Spec private CommandSpec spec;

  private final Interruption interruption;

  public WhoCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  @Override
  public Integer call() throws IOException {
    checkProcesses();
    sampling.check(processes, ProcessDumpReader.isProcess(processes.getFirst()));
    Optional<Duration> interval = sampling.interval();
    boolean isPasted = PastedRun.arePasted(processes);
    if ((processes.size() == 1 || isPasted) && interval.isEmpty()) {
      if (output.isPresent()
          && !output.get().endsWith(".txt")
          && !OutputFiles.isPage(output.get())) {
        throw Usage.error(
            spec, "--output is '%s', expected a name that ends in .html or .txt", output.get());
      }
      if (output.isPresent() && Diagnostics.isSame(output.get(), processes.getFirst())) {
        throw Usage.error(
            spec, "--output is '%s', which is the input; use another name", output.get());
      }
      WhoRun run = new WhoRun(spec, format.printer(), output);
      return isPasted
          ? new PastedRun(Diagnostics.of(spec), run).run(processes)
          : run.run(processes.getFirst(), collects, trims);
    }
    if (trims) {
      throw Usage.error(spec, "--trim changes the growth of a process; use it without --every");
    }
    Optional<PageOutput> page = PageOutput.of(output, processes, spec);
    WhoGrowthRun run = new WhoGrowthRun(spec, format.printer(), page, collects);
    if (interval.isEmpty()) {
      return run.compare(processes);
    }
    interruption.expect();
    return run.sample(processes.getFirst(), interval.get(), sampling.length(), interruption);
  }

  private void checkProcesses() {
    for (String process : processes) {
      boolean isNumber = ProcessDumpReader.isProcess(process);
      if (isNumber && !process.matches("0*[1-9][0-9]{0,9}")) {
        throw Usage.error(
            spec,
            "PROCESS is %s, expected a number from 1 to 4194304, or the path of a dump",
            process);
      }
      if (ProcessDumpReader.isStrayWord(process)) {
        throw Usage.error(
            spec,
            "PROCESS is '%s', which is no number and no file; jps lists the Java processes",
            process);
      }
      if ((collects || trims) && !isNumber) {
        throw Usage.error(
            spec,
            "%s needs a running process, but '%s' is a dump",
            collects ? "--gc" : "--trim",
            process);
      }
    }
  }
}
