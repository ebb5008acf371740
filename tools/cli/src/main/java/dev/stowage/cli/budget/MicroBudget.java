package dev.stowage.cli.budget;

import dev.stowage.budget.BudgetPart;
import dev.stowage.budget.ModelBudget;
import dev.stowage.budget.PartPhase;
import dev.stowage.budget.PartSource;
import dev.stowage.budget.PartUnit;
import dev.stowage.cli.budget.BudgetReport.Evidence;
import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.input.MicroOptions;
import dev.stowage.cli.input.MicroProblemReader;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroArenaReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the budget of a model for TensorFlow Lite Micro. An interpreter is a session. */
final class MicroBudget {

  private MicroBudget() {}

  static PlannedBudget read(String path, Path file) throws IOException {
    MicroArena model = MicroArenaReader.read(file);
    MicroArena arena = model.withScratch(model.referenceScratch());
    MicroMemory.Size size = MicroMemory.of(arena, MicroOptions.none()).fileSize();
    List<Evidence> evidence = new ArrayList<>();
    evidence.add(
        new Evidence("proved", "the head follows from the rules of TensorFlow Lite Micro"));
    MicroProblemReader.missingScratch(arena)
        .ifPresent(note -> evidence.add(new Evidence(Evidence.UNKNOWN, note)));
    arena.notes().forEach(note -> evidence.add(new Evidence(Evidence.UNKNOWN, note)));
    List<BudgetPart> parts =
        List.of(
            BudgetPart.of(
                "model file",
                PartSource.COMPUTED,
                PartUnit.PROCESS,
                PartPhase.ALWAYS,
                Files.size(file)),
            session("arena head", PartSource.COMPUTED, size.headBytes()),
            session("arena tail", PartSource.CALIBRATED, size.tailBytes()),
            session("arena to start", PartSource.CALIBRATED, size.reserveBytes()));
    return new PlannedBudget(
        new ModelBudget(path, DimensionRanges.of(), parts), List.of(), evidence, false);
  }

  private static BudgetPart session(String name, PartSource how, long bytes) {
    return BudgetPart.of(name, how, PartUnit.SESSION, PartPhase.ALWAYS, bytes);
  }
}
