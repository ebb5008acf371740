package dev.stowage.cli.run;

import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.MicroOptions;
import dev.stowage.cli.input.OrderedMicro;
import dev.stowage.cli.input.OrderedModels;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Alternative;
import dev.stowage.cli.plan.Effect;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The options of {@code stowage plan} whose effects {@code --explain} reports. */
public final class Alternatives {

  private final List<Choice> choices = new ArrayList<>();

  /** A reader of a model, given as on the command line, with the other choice of an option. */
  private interface Reader {
    Alternative.Content read(String path) throws IOException;
  }

  private record Choice(String option, boolean isUsed, Reader reader) {}

  /**
   * Adds an option.
   *
   * @param isUsed true if the user chose it
   */
  public void add(String option, boolean isUsed, InputReader reader) {
    choices.add(new Choice(option, isUsed, path -> records(path, reader)));
  }

  /**
   * Adds the search for an order of the operators.
   *
   * @param micro the scratch buffers, if the arena of TensorFlow Lite Micro is planned
   */
  public void addOrders(OnnxOptions options, Optional<MicroOptions> micro) {
    choices.add(
        new Choice(
            Effect.REORDER,
            false,
            path ->
                OrderedModels.read(path, options, micro)
                    .map(Alternative.Orders::new)
                    .orElseThrow(
                        () -> new MalformedFileException(path, OrderedMicro.FIXED_ORDER))));
  }

  /** {@return the alternatives of an input: none unless it is a model that can be read again} */
  public List<Alternative> of(PlanInput input) {
    String path = input.file().path();
    return input.file().isModel() && Files.isRegularFile(Path.of(path))
        ? choices.stream()
            .map(choice ->
                new Alternative(choice.option, choice.isUsed, () -> choice.reader.read(path)))
            .toList()
        : List.of();
  }

  private static Alternative.Content records(String path, InputReader reader) throws IOException {
    PlanInput read = reader.read(path);
    if (read instanceof PlanInput.Tensors tensors) {
      return new Alternative.Records(tensors.problem());
    }
    throw new MalformedFileException(path, "has textures, expected tensors");
  }
}
