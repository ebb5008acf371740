package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroArenaReader;
import dev.stowage.tflite.micro.MicroTensor;
import dev.stowage.tflite.offline.OfflinePlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A reader of the offline plans of models for TensorFlow Lite Micro. */
final class MicroPlanReader {

  private MicroPlanReader() {}

  /**
   * {@return the tensors that the plan of a model places, with their offsets}
   *
   * @param path the file as on the command line
   * @param file the model
   * @throws MalformedFileException if the model is damaged or has no plan
   * @throws IOException if the file cannot be read
   */
  static PlacedInput read(String path, Path file) throws IOException {
    MicroArena arena = MicroArenaReader.read(file);
    OfflinePlan plan =
        arena
            .filePlan()
            .orElseThrow(() ->
                new MalformedFileException(
                    path,
                    "has no offline plan (OfflineMemoryAllocation); stowage rewrite MODEL --output OUT writes one"));
    List<MicroTensor> placed = arena.placedTensors(plan);
    List<RecordLabel> labels =
        placed.stream()
            .map(tensor -> {
              String id = Integer.toString(tensor.id().planIndex());
              return new RecordLabel(
                  id,
                  tensor.name().isEmpty() ? id : tensor.name(),
                  tensor.type().map(ModelLabels::shape));
            })
            .toList();
    InputFile input =
        new InputFile(
            path,
            "tflite",
            arena.scopeLabels().size() + 1L,
            tasks(arena),
            OptionalLong.empty(),
            notes(arena, plan));
    return new PlacedInput(
        new PlanInput.Tensors(input, labels, arena.placedProblem(plan)), arena.placedOffsets(plan));
  }

  /** {@return the scopes; task 0 is the time before the first one} */
  private static List<TaskLabel> tasks(MicroArena arena) {
    List<String> names = new ArrayList<>(List.of("before all"));
    names.addAll(arena.scopeLabels());
    return ModelLabels.scopes(names);
  }

  private static List<String> notes(MicroArena arena, OfflinePlan plan) {
    List<String> notes = new ArrayList<>(arena.notes());
    long unplaced =
        arena.plannedTensors().stream()
            .filter(tensor -> plan.offset(tensor.id().planIndex()).isEmpty())
            .count();
    if (unplaced > 0) {
      notes.add(
          Numbers.count(unplaced, "tensor")
              + " without an offset: TensorFlow Lite Micro places them at run time, and then needs "
              + Numbers.grouped(arena.headBytes(arena.filePlan()))
              + " bytes");
    }
    return notes;
  }
}
