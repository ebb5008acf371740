package dev.stowage.cli.command;

import dev.stowage.cli.conclusion.WhoConclusion;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.console.SecondsConverter;
import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.pasted.PastedMemory;
import dev.stowage.cli.pasted.PastedReader;
import dev.stowage.cli.pasted.PastedVerdict;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.PastedAnswer;
import dev.stowage.cli.report.WhoAnswer;
import dev.stowage.cli.report.WhoGrowthAnswer;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.InputCommand;
import dev.stowage.cli.run.InputRun;
import dev.stowage.cli.run.Outcome;
import dev.stowage.cli.run.OutputPaths;
import dev.stowage.cli.run.PageOutput;
import dev.stowage.cli.run.ProcessSampling;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.cli.run.Usage;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.MemoryGrowth;
import dev.stowage.process.MemorySample;
import dev.stowage.process.ProcessDump;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
public final class WhoCommand extends InputCommand {

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

  @ArgGroup(exclusive = false)
  private Sampling sampling = new Sampling();

  /** Samples of the process at regular times. */
  private static final class Sampling {

    @Option(
        names = "--every",
        required = true,
        paramLabel = "TIME",
        converter = SecondsConverter.class,
        description = {
          "Sample the process at this interval, such as 10s, and report what grows",
          "and why."
        })
    private Optional<Duration> interval = Optional.empty();

    @Option(
        names = "--for",
        paramLabel = "TIME",
        converter = SecondsConverter.class,
        description = {
          "The time from the first sample to the last one, such as 10m (default:",
          "until Ctrl-C or the end of the process)."
        })
    private Optional<Duration> length = Optional.empty();
  }

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

  @Override
  public Integer call() throws IOException {
    String first = processes.getFirst();
    processes.forEach(this::check);
    boolean isSampled = sampling.interval.isPresent();
    boolean isPasted = ProcessDumpReader.arePasted(processes);
    boolean isMoment = (processes.size() == 1 || isPasted) && !isSampled;
    if (isSampled && !(processes.size() == 1 && ProcessDumpReader.isProcess(first))) {
      throw Usage.error(
          spec,
          "--every needs one running process, but PROCESS is '%s'",
          String.join(" ", processes));
    }
    if (trims && !isMoment) {
      throw Usage.error(spec, "--trim changes the growth of a process; use it without --every");
    }
    boolean isDump =
        isMoment && !isPasted && output.filter(path -> !OutputPaths.isPage(path)).isPresent();
    if (isDump) {
      new OutputPaths(spec, processes).add("--output", output.get(), List.of(".html", ".txt"));
    }
    Optional<PageOutput> page = PageOutput.of(output.filter(_ -> !isDump), processes, spec);
    InputRun run = newRun(format.printer(), "Sampling", "read");
    List<String> names = processes.stream().map(ProcessDumpReader::name).toList();
    if (isSampled) {
      return run.run(names, (_, progress) -> sampled(first, progress, page));
    }
    if (isMoment) {
      return run.run(
          names.subList(0, 1),
          (_, _) -> interruption().run(() -> isPasted ? pasted(page) : moment(first, page)));
    }
    List<MemorySample> samples = new ArrayList<>();
    Iterator<String> dumps = processes.iterator();
    int exitCode =
        run.run(
            names,
            (_, _) -> {
              samples.add(new MemorySample(reader().read(dumps.next())));
              return Outcome.none();
            });
    return exitCode == ExitCode.DONE
        ? run.conclude(names.getLast(), growth(samples, page))
        : exitCode;
  }

  private ProcessDumpReader reader() {
    return new ProcessDumpReader(collects);
  }

  /** {@return the memory of a process, or that in a dump} */
  private Outcome moment(String process, Optional<PageOutput> page)
      throws IOException, InputRefusedException {
    long before = trims ? reader().trim(process) : 0;
    ProcessDump dump = reader().read(process);
    MemoryByOwner memory = new MemoryByOwner(dump);
    Conclusion conclusion = WhoConclusion.of(memory);
    Outcome outcome =
        written(WhoAnswer.of(memory, conclusion, OptionalLong.empty()), memory.notes(), page)
            .leadingTo(conclusion);
    if (trims) {
      long returned = Math.max(0, before - memory.residentBytes());
      outcome.noting("malloc_trim returned " + ByteUnit.exact(returned));
    }
    return page.isEmpty() && output.isPresent()
        ? outcome.writing(
            () -> Diagnostics.of(spec).write(output.get(), out -> out.write(dump.text())))
        : outcome;
  }

  /** {@return the memory in texts that people paste} */
  private Outcome pasted(Optional<PageOutput> page) throws IOException {
    List<byte[]> texts = new ArrayList<>();
    for (String path : processes) {
      texts.add(Files.readAllBytes(Path.of(path)));
    }
    PastedMemory pasted =
        PastedReader.read(texts)
            .orElseThrow(() ->
                new MalformedFileException(
                    processes.getFirst(),
                    "has no figures on the memory of a process, expected a dump, the output of jcmd VM.native_memory or VM.info, an hs_err file, smaps, smaps_rollup, pmap -x, kubectl describe pod, or the kernel's report of a kill"));
    Optional<MemoryByOwner> memory = pasted.dump().map(MemoryByOwner::new);
    PastedVerdict verdict = new PastedVerdict(pasted, memory.map(WhoConclusion::of));
    Conclusion conclusion =
        verdict.conclusion(memory.filter(found -> !found.findings().isEmpty()).isPresent());
    Answer answer = PastedAnswer.of(pasted, memory, conclusion, verdict.missing());
    List<String> notes = memory.map(MemoryByOwner::notes).orElse(List.of());
    return written(answer, notes, page).leadingTo(conclusion);
  }

  /** {@return the growth of a process while it runs} */
  private Outcome sampled(String process, TerminalProgress progress, Optional<PageOutput> page)
      throws IOException, InputRefusedException {
    Duration interval = sampling.interval.orElseThrow();
    Optional<Duration> length = sampling.length;
    ProcessSampling run =
        new ProcessSampling(
            interruption(), reader().following(process, interval), Thread::sleep, interval, length);
    length.ifPresent(
        time -> progress.expect((int) Math.min(time.dividedBy(interval) + 1, Integer.MAX_VALUE)));
    boolean isComplete;
    try {
      isComplete =
          run.run(sample ->
              progress.done(
                  run.samples().size(),
                  ByteUnit.human(sample.memory().residentBytes()) + " resident"));
    } catch (IOException e) {
      throw ProcessDumpReader.failure(process, e);
    }
    Outcome outcome = growth(run.samples(), page);
    if (interruption().isInterrupted()) {
      outcome.noting("interrupted: the growth is until then");
    }
    return isComplete ? outcome : outcome.noting("has ended; the growth is until then");
  }

  private Outcome growth(List<MemorySample> samples, Optional<PageOutput> page) {
    if (samples.isEmpty()) {
      return Outcome.none(); // a signal arrived first and decides the exit code
    }
    if (samples.size() == 1) {
      MemoryByOwner memory = samples.getFirst().memory();
      return written(
              WhoAnswer.of(memory, WhoConclusion.of(memory), OptionalLong.empty()),
              memory.notes(),
              page)
          .noting("there is one sample, so that no growth is known");
    }
    MemoryGrowth growth = new MemoryGrowth(samples);
    Conclusion conclusion = WhoConclusion.of(growth);
    return written(WhoGrowthAnswer.of(growth, conclusion), growth.notes(), page)
        .leadingTo(conclusion);
  }

  private static Outcome written(Answer answer, List<String> notes, Optional<PageOutput> page) {
    Outcome outcome = Outcome.of(answer).noting(notes);
    page.ifPresent(it -> outcome.writing(() -> it.write(answer, notes)));
    return outcome;
  }

  private void check(String process) {
    if (ProcessDumpReader.isStrayWord(process)) {
      throw Usage.error(
          spec,
          "PROCESS is '%s', which is no number and no file; jps lists the Java processes",
          process);
    }
    if ((collects || trims) && !ProcessDumpReader.isProcess(process)) {
      throw Usage.error(
          spec,
          "%s needs a running process, but '%s' is a dump",
          collects ? "--gc" : "--trim",
          process);
    }
  }
}
