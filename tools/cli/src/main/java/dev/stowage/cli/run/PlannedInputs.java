package dev.stowage.cli.run;

import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Interruption;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The files that a command plans, read one after the other. */
public final class PlannedInputs {

  private final List<String> files;
  private final InputReader reader;
  private final Interruption interruption;
  private final FileProgress progress;
  private final CommandSpec spec;

  public PlannedInputs(
      List<String> files,
      InputReader reader,
      Interruption interruption,
      FileProgress progress,
      CommandSpec spec) {
    this.files = files;
    this.reader = reader;
    this.interruption = interruption;
    this.progress = progress;
    this.spec = spec;
  }

  /** Reads a file, prints its notes and {@return the input} */
  public PlanInput input(int index) throws IOException {
    String file = files.get(index);
    PlannedFiles.checkFile(file);
    try (TerminalProgress _ = progress.of(index, 0)) {
      PlanInput input = interruption.run(() -> reader.read(file));
      input.file().notes().forEach(note -> Diagnostics.of(spec).note(file, note));
      return input;
    }
  }
}
