package dev.stowage.cli.command;

import dev.stowage.cli.conclusion.WhoConclusion;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.option.SamplingOptions;
import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.pasted.PastedMemory;
import dev.stowage.cli.pasted.PastedReader;
import dev.stowage.cli.pasted.PastedVerdict;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.PastedAnswer;
import dev.stowage.cli.report.WhoAnswer;
import dev.stowage.cli.report.WhoGrowthAnswer;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.InputRun;
import dev.stowage.cli.run.Outcome;
import dev.stowage.cli.run.OutputPaths;
import dev.stowage.cli.run.PageOutput;
import dev.stowage.cli.run.ProcessSampling;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.cli.run.Usage;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.MemoryGrowth;
import dev.stowage.process.MemorySample;
import dev.stowage.process.NativeTrim;
import dev.stowage.process.ProcessDump;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
    boolean isPasted = ProcessDumpReader.arePasted(processes);
    boolean isMoment = (processes.size() == 1 || isPasted) && sampling.interval().isEmpty();
    if (trims && !isMoment) {
      throw Usage.error(spec, "--trim changes the growth of a process; use it without --every");
    }
    Optional<PageOutput> page = checkOutput(isMoment);
    String first = processes.getFirst();
    String last = ProcessDumpReader.name(processes.getLast());
    InputRun run = new InputRun(spec, interruption, format.printer(), "Sampling", "read");
    if (isPasted) {
      return run.run(List.of(first), (_, _) -> interruption.run(this::pasted));
    }
    if (isMoment) {
      return run.run(List.of(last), (_, _) -> interruption.run(() -> moment(first)));
    }
    return run.run(
        List.of(last),
        (_, progress) ->
            sampling.interval().isPresent()
                ? sampled(first, progress, page)
                : interruption.run(() -> compared(page)));
  }

  /** {@return the page; empty if there is none, or if a dump is written} */
  private Optional<PageOutput> checkOutput(boolean isMoment) {
    if (output.isEmpty() || !isMoment) {
      return PageOutput.of(output, processes, spec);
    }
    new OutputPaths(spec, processes).add("--output", output.get(), ".html", ".txt");
    return Optional.empty();
  }

  /** {@return the memory of a process, or that in a dump} */
  private Outcome moment(String process) throws IOException, InputRefusedException {
    ProcessDumpReader reader = new ProcessDumpReader(collects);
    List<String> trimmed = new ArrayList<>();
    long before = trims ? trim(process, reader) : 0;
    ProcessDump dump = reader.read(process);
    MemoryByOwner memory = new MemoryByOwner(dump);
    if (trims) {
      long returned = Math.max(0, before - memory.residentBytes());
      trimmed.add("malloc_trim returned " + ByteUnit.exact(returned));
    }
    Optional<Conclusion> conclusion = WhoConclusion.of(memory);
    Answer answer = WhoAnswer.of(memory, conclusion);
    Outcome outcome = Outcome.of(answer).noting(trimmed).noting(memory.notes());
    conclusion.ifPresent(outcome::leadingTo);
    output.ifPresent(
        path -> outcome.writing(() -> write(path, answer, Optional.of(dump), memory.notes(), "")));
    return outcome;
  }

  /** Trims the C heap of a process, and {@return the resident bytes before} */
  private static long trim(String process, ProcessDumpReader reader)
      throws IOException, InputRefusedException {
    long pid = Long.parseLong(process);
    try {
      long before = MemoryByOwner.of(pid).residentBytes();
      if (!NativeTrim.run(pid)) {
        throw new InputRefusedException(
            "malloc_trim was not called, expected a running virtual machine of JDK 21 or newer with the C library of GNU");
      }
      return before;
    } catch (IOException e) {
      throw reader.failure(process, e);
    }
  }

  /** {@return the memory in texts that people paste} */
  private Outcome pasted() throws IOException, InputRefusedException {
    List<byte[]> texts = new ArrayList<>();
    for (String path : processes) {
      texts.add(Files.readAllBytes(Path.of(path)));
    }
    PastedMemory pasted =
        PastedReader.read(texts)
            .orElseThrow(() ->
                new InputRefusedException(
                    "has no figures on the memory of a process, expected a dump, the output of jcmd VM.native_memory or VM.info, an hs_err file, smaps, smaps_rollup, pmap -x, kubectl describe pod, or the kernel's report of a kill"));
    Optional<MemoryByOwner> memory = pasted.dump().map(MemoryByOwner::new);
    Conclusion conclusion = PastedVerdict.of(pasted, memory, memory.flatMap(WhoConclusion::of));
    Answer answer = PastedAnswer.of(pasted, memory, conclusion);
    List<String> notes = memory.map(MemoryByOwner::notes).orElse(List.of());
    String missing =
        PastedVerdict.missing(pasted).stream()
            .findFirst()
            .map(PastedVerdict.Missing::command)
            .orElse("");
    Outcome outcome = Outcome.of(answer).noting(notes).leadingTo(conclusion);
    output.ifPresent(
        path -> outcome.writing(() -> write(path, answer, pasted.dump(), notes, missing)));
    return outcome;
  }

  /**
   * Writes a page or a dump, and {@return the exit code}
   *
   * @param dump the content of a text file; empty if texts do not have all mappings
   * @param missing the command that prints the missing text
   */
  private int write(
      String path, Answer answer, Optional<ProcessDump> dump, List<String> notes, String missing) {
    if (OutputPaths.isPage(path)) {
      return PageOutput.of(output, List.of(), spec).orElseThrow().write(answer, "Read", notes);
    }
    if (dump.isEmpty()) {
      Diagnostics.of(spec)
          .report(
              "--output is '%s', but the texts do not have all mappings; add %s", path, missing);
      return ExitCode.BAD_INPUT;
    }
    String text = dump.get().text();
    return Diagnostics.of(spec)
        .write(path, () -> new WholeFile(path).write(out -> out.write(text)));
  }

  /** {@return the growth between dumps} */
  private Outcome compared(Optional<PageOutput> page) {
    ProcessDumpReader reader = new ProcessDumpReader(collects);
    List<MemorySample> samples = new ArrayList<>();
    for (String process : processes) {
      try {
        samples.add(new MemorySample(reader.read(process)));
      } catch (IOException | InputRefusedException e) {
        Diagnostics.of(spec).reportFailure(ProcessDumpReader.name(process), e);
      }
    }
    return samples.size() < processes.size()
        ? Outcome.none().exiting(ExitCode.BAD_INPUT)
        : growth(samples, page);
  }

  /** {@return the growth of a process while it runs} */
  private Outcome sampled(String process, TerminalProgress progress, Optional<PageOutput> page)
      throws IOException, InputRefusedException {
    ProcessDumpReader reader = new ProcessDumpReader(collects);
    Duration interval = sampling.interval().orElseThrow();
    ProcessSampling run =
        new ProcessSampling(
            interruption, reader.following(process), Thread::sleep, interval, sampling.length());
    sampling
        .length()
        .ifPresent(time ->
            progress.expect((int) Math.min(time.dividedBy(interval) + 1, Integer.MAX_VALUE)));
    boolean isComplete;
    try {
      isComplete =
          run.run(
              sample -> progress.sampled(run.samples().size(), sample.memory().residentBytes()));
    } catch (IOException e) {
      throw reader.failure(process, e);
    }
    Outcome outcome = growth(run.samples(), page);
    if (interruption.isInterrupted()) {
      outcome.noting("interrupted: the growth is that of the samples until then");
    }
    return isComplete
        ? outcome
        : outcome.noting("has ended; the growth is that of the samples before");
  }

  private Outcome growth(List<MemorySample> samples, Optional<PageOutput> page) {
    if (samples.isEmpty()) {
      return Outcome.none(); // a signal arrived first, and the exit code is that of the signal
    }
    if (samples.size() == 1) {
      MemoryByOwner memory = samples.getFirst().memory();
      return written(WhoAnswer.of(memory, WhoConclusion.of(memory)), memory.notes(), page)
          .noting("there is one sample, so that no growth is known");
    }
    MemoryGrowth growth = new MemoryGrowth(samples);
    Conclusion conclusion = WhoConclusion.of(growth);
    return written(WhoGrowthAnswer.of(growth, conclusion), growth.notes(), page)
        .noting(growth.notes())
        .leadingTo(conclusion);
  }

  private static Outcome written(Answer answer, List<String> notes, Optional<PageOutput> page) {
    Outcome outcome = Outcome.of(answer);
    page.ifPresent(it -> outcome.writing(() -> it.write(answer, "Sampled", notes)));
    return outcome;
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
