package dev.stowage.cli.command;

import dev.stowage.cli.conclusion.WhoConclusion;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.WhoAnswer;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.OutputFiles;
import dev.stowage.cli.run.PageOutput;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.NativeTrim;
import dev.stowage.process.ProcessDump;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** The reading of a process or of its dump, and the output of its memory. */
final class WhoRun {

  private final CommandSpec spec;
  private final Diagnostics diagnostics;
  private final AnswerPrinter printer;
  private final Optional<String> output;

  WhoRun(CommandSpec spec, AnswerPrinter printer, Optional<String> output) {
    this.spec = spec;
    this.printer = printer;
    this.output = output;
    diagnostics = Diagnostics.of(spec);
  }

  /** Prints the memory of a process, or that in a dump, and {@return the exit code} */
  int run(String process, boolean collects, boolean trims) throws IOException {
    ProcessDumpReader reader = new ProcessDumpReader(diagnostics, collects);
    String name = ProcessDumpReader.name(process);
    long before = 0;
    if (trims) {
      try {
        before = MemoryByOwner.of(Long.parseLong(process)).residentBytes();
        if (!trim(Long.parseLong(process), name)) {
          return ExitCode.BAD_INPUT;
        }
      } catch (IOException e) {
        reader.report(process, e);
        return ExitCode.BAD_INPUT;
      }
    }
    Optional<ProcessDump> dump = reader.read(process);
    if (dump.isEmpty()) {
      return ExitCode.BAD_INPUT;
    }
    MemoryByOwner memory = new MemoryByOwner(dump.get());
    if (trims) {
      diagnostics.note(
          name,
          "malloc_trim returned %s",
          ByteUnit.exact(Math.max(0, before - memory.residentBytes())));
    }
    Optional<Conclusion> conclusion = WhoConclusion.of(memory);
    return print(name, WhoAnswer.of(memory, conclusion), dump, conclusion, "");
  }

  private boolean trim(long pid, String name) throws IOException {
    boolean isDone = NativeTrim.run(pid);
    if (!isDone) {
      diagnostics.report(
          "%s: malloc_trim was not called, expected a running virtual machine of JDK 21 or newer"
              + " with the C library of GNU",
          name);
    }
    return isDone;
  }

  /**
   * Prints an answer, writes the file and {@return the exit code}
   *
   * @param dump the content of a text file; empty if texts do not have all mappings
   * @param missing the command that prints the missing text
   */
  int print(
      String name,
      Answer answer,
      Optional<ProcessDump> dump,
      Optional<Conclusion> conclusion,
      String missing)
      throws IOException {
    List<String> notes = dump.map(MemoryByOwner::new).map(MemoryByOwner::notes).orElse(List.of());
    notes.forEach(note -> diagnostics.note(name, note));
    printer.print(answer, spec.commandLine().getOut());
    int exitCode =
        output.isPresent() ? write(output.get(), answer, dump, notes, missing) : ExitCode.DONE;
    if (printer.isTable()) {
      conclusion.ifPresent(diagnostics::next);
    }
    return exitCode;
  }

  private int write(
      String path, Answer answer, Optional<ProcessDump> dump, List<String> notes, String missing) {
    if (OutputFiles.isPage(path)) {
      return PageOutput.of(output, List.of(), spec).orElseThrow().write(answer, "Read", notes);
    }
    if (dump.isEmpty()) {
      diagnostics.report(
          "--output is '%s', but the texts do not have all mappings; add %s", path, missing);
      return ExitCode.BAD_INPUT;
    }
    String text = dump.get().text();
    return diagnostics.write(path, () -> new WholeFile(path).write(out -> out.write(text)));
  }
}
