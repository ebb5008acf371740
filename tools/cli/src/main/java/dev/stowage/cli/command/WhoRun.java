package dev.stowage.cli.command;

import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.WhoAnswer;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.console.ExitCode;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.NativeTrim;
import dev.stowage.process.ProcessDump;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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

  /** Prints the memory of a process and {@return the exit code} */
  int onProcess(long pid, boolean collects, boolean trims) {
    String name = "process " + pid;
    try {
      if (trims) {
        trim(pid, name);
      }
      return print(name, collects ? ProcessDump.ofCollected(pid) : ProcessDump.of(pid));
    } catch (NoSuchFileException e) {
      diagnostics.report(
          "%s: does not exist or has ended, expected the number of a running process on Linux",
          name);
    } catch (AccessDeniedException e) {
      diagnostics.report(
          "%s: its memory must not be read, expected a process of your own; or run the command as"
              + " root",
          name);
    } catch (IOException e) {
      return diagnostics.reportFailure(name, e);
    }
    return ExitCode.BAD_INPUT;
  }

  private void trim(long pid, String name) throws IOException {
    long before = MemoryByOwner.of(pid).residentBytes();
    if (NativeTrim.run(pid)) {
      diagnostics.note(
          name,
          "malloc_trim returned %s",
          ByteUnit.exact(Math.max(0, before - MemoryByOwner.of(pid).residentBytes())));
    } else {
      diagnostics.note(name, "the virtual machine has no command for malloc_trim");
    }
  }

  /** Prints the memory in a dump and {@return the exit code} */
  int onDump(String path) {
    try {
      // Paths of the process may be in any encoding.
      String text = new String(Files.readAllBytes(Path.of(path)), StandardCharsets.UTF_8);
      return print(path, ProcessDump.parse(text));
    } catch (IllegalArgumentException e) {
      diagnostics.report("%s: %s", path, String.valueOf(e.getMessage()));
      return ExitCode.BAD_INPUT;
    } catch (IOException e) {
      return diagnostics.reportFailure(path, e);
    }
  }

  private int print(String name, ProcessDump dump) throws IOException {
    MemoryByOwner memory = new MemoryByOwner(dump);
    memory.notes().forEach(note -> diagnostics.note(name, note));
    printer.print(WhoAnswer.of(memory), spec.commandLine().getOut());
    return output
        .map(path ->
            diagnostics.write(path, () -> new WholeFile(path).write(out -> out.write(dump.text()))))
        .orElse(ExitCode.DONE);
  }
}
