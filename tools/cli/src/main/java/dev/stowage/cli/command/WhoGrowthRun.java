package dev.stowage.cli.command;

import dev.stowage.cli.conclusion.WhoConclusion;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.WhoAnswer;
import dev.stowage.cli.report.WhoGrowthAnswer;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.FileProgress;
import dev.stowage.cli.run.PageOutput;
import dev.stowage.cli.run.ProcessSampling;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.MemoryGrowth;
import dev.stowage.process.MemorySample;
import dev.stowage.process.ProcessDump;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** The growth of the memory of a process over several moments. */
final class WhoGrowthRun {

  private final CommandSpec spec;
  private final Diagnostics diagnostics;
  private final AnswerPrinter printer;
  private final Optional<PageOutput> page;
  private final ProcessDumpReader reader;
  private boolean asksVm = true;
  private boolean hasAnswered;

  WhoGrowthRun(
      CommandSpec spec, AnswerPrinter printer, Optional<PageOutput> page, boolean collects) {
    this.spec = spec;
    this.printer = printer;
    this.page = page;
    diagnostics = Diagnostics.of(spec);
    reader = new ProcessDumpReader(diagnostics, collects);
  }

  /** Prints the growth between dumps and {@return the exit code} */
  int compare(List<String> processes) throws IOException {
    List<MemorySample> samples = new ArrayList<>();
    for (String process : processes) {
      reader.read(process).map(MemorySample::new).ifPresent(samples::add);
    }
    return samples.size() < processes.size()
        ? ExitCode.BAD_INPUT
        : print(ProcessDumpReader.name(processes.getLast()), samples);
  }

  /** Prints the growth of a process while it runs and {@return the exit code} */
  int sample(String process, Duration interval, Optional<Duration> length, Interruption signal)
      throws IOException {
    long pid = Long.parseLong(process);
    Optional<ProcessHandle> handle = ProcessHandle.of(pid);
    ProcessSampling sampling =
        new ProcessSampling(
            signal, limit -> read(pid, limit, handle), Thread::sleep, interval, length);
    String name = ProcessDumpReader.name(process);
    try {
      if (!take(sampling, length.map(time -> time.dividedBy(interval) + 1).orElse(-1L))) {
        diagnostics.note(name, "has ended; the growth is that of the samples before");
      }
    } catch (IOException e) {
      reader.report(process, e);
      return ExitCode.BAD_INPUT;
    }
    return print(name, sampling.samples());
  }

  /** Takes samples and {@return false if the process ended before the last one} */
  private static boolean take(ProcessSampling sampling, long count) throws IOException {
    int steps = (int) Math.min(count, Integer.MAX_VALUE);
    try (TerminalProgress progress = new FileProgress("Sampling", 1).of(0, steps)) {
      return sampling.run(
          sample -> progress.sampled(sampling.samples().size(), sample.memory().residentBytes()));
    }
  }

  private ProcessDump read(long pid, Duration limit, Optional<ProcessHandle> handle)
      throws IOException {
    ProcessDump dump = reader.dump(pid, asksVm ? limit : Duration.ZERO);
    // A virtual machine that does not answer the first time is not asked again.
    hasAnswered |= !dump.isUnanswered();
    asksVm = hasAnswered;
    // Another process may have got the number in the meantime.
    if (handle.isPresent() && !handle.get().isAlive()) {
      throw new NoSuchFileException("/proc/" + pid);
    }
    return dump;
  }

  private int print(String name, List<MemorySample> samples) throws IOException {
    if (samples.isEmpty()) {
      return ExitCode.DONE; // a signal arrived first, and the exit code is that of the signal
    }
    if (samples.size() == 1) {
      diagnostics.note(name, "there is one sample, so that no growth is known");
      MemoryByOwner memory = samples.getFirst().memory();
      Answer answer = WhoAnswer.of(memory, WhoConclusion.of(memory));
      printer.print(answer, spec.commandLine().getOut());
      return page.isEmpty() ? ExitCode.DONE : page.get().write(answer, "Sampled", memory.notes());
    }
    MemoryGrowth growth = new MemoryGrowth(samples);
    growth.notes().forEach(note -> diagnostics.note(name, note));
    Conclusion conclusion = WhoConclusion.of(growth);
    Answer answer = WhoGrowthAnswer.of(growth, conclusion);
    printer.print(answer, spec.commandLine().getOut());
    int exitCode =
        page.isEmpty() ? ExitCode.DONE : page.get().write(answer, "Sampled", growth.notes());
    if (printer.isTable()) {
      diagnostics.next(conclusion);
    }
    return exitCode;
  }
}
