package dev.stowage.cli.run;

import dev.stowage.cli.diff.ComparedPlan;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.PlanNotes;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.cli.plan.PlanSelection;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** Plans two models or problems; the plan that a file has is taken as it is. */
public final class ComparedPlanning implements ComparedFiles.Reader<ComparedPlan> {

  private final CommandSpec spec;
  private final InputReader reader;
  private final PlanRunner runner;
  private final int strategyCount;
  private final FileProgress progress = new FileProgress("Planning", 2);

  public ComparedPlanning(CommandSpec spec, InputReader reader, PlanSelection selection) {
    this.spec = spec;
    this.reader = reader;
    runner = new PlanRunner(selection);
    strategyCount = selection.strategies().size();
  }

  @Override
  public ComparedPlan read(int index, String file) throws IOException, InputRefusedException {
    PlanInput.Tensors tensors = tensors(file);
    tensors.file().notes().forEach(note -> Diagnostics.of(spec).note(file, note));
    PlanNotes.rangesNote(tensors).ifPresent(note -> Diagnostics.of(spec).note(file, note));
    Optional<ComparedPlan> written = ComparedPlan.inFile(tensors);
    if (written.isPresent()) {
      return written.get();
    }
    PlanReport report;
    try (TerminalProgress bar = progress.of(index, strategyCount)) {
      report = runner.run(tensors, bar);
    }
    report.notes().forEach(note -> Diagnostics.of(spec).note(file, note));
    return ComparedPlan.of(report);
  }

  private PlanInput.Tensors tensors(String file) throws IOException, InputRefusedException {
    return switch (reader.read(file)) {
      case PlanInput.Tensors tensors -> tensors;
      case PlanInput.Textures _ ->
          throw new InputRefusedException(
              "has textures, which have no offsets; expected tensors with sizes in bytes");
    };
  }
}
