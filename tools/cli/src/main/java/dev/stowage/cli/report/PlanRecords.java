package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.textures.TextureExtent;
import dev.stowage.plan.textures.TextureUsageRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The records of an input for programs. The rows are indices of records. */
final class PlanRecords {

  private PlanRecords() {}

  static Table<Integer> of(PlanInput input) {
    return switch (input) {
      case PlanInput.Tensors tensors -> of(tensors, all(tensors.labels().size()));
      case PlanInput.Textures textures -> {
        List<TextureUsageRecord> records = textures.records();
        yield labeled(textures, all(records.size()))
            .data("extent", i -> extent(records.get(i).extent()))
            .count("first_task", Table.HIDDEN, i -> records.get(i).firstTask())
            .count("last_task", Table.HIDDEN, i -> records.get(i).lastTask());
      }
    };
  }

  static Table<Integer> of(PlanInput.Tensors input, List<Integer> rows) {
    Map<Integer, String> sources = PlanInput.sourceIds(input.problem(), input.labels());
    Table<Integer> table =
        tensors(input, rows)
            .data("in_place_of", i -> Figure.text(Optional.ofNullable(sources.get(i))));
    return Labels.add(table, input.labels()::get);
  }

  /** {@return the ids, names, bytes and lifetimes of records} */
  static Table<Integer> tensors(PlanInput.Tensors input, List<Integer> rows) {
    List<TensorUsageRecord> records = input.problem().records();
    return labeled(input, rows)
        .data("bytes", i -> Figure.bytes(records.get(i).bytes()))
        .count("first_task", Table.HIDDEN, i -> records.get(i).firstTask())
        .count("last_task", Table.HIDDEN, i -> records.get(i).lastTask());
  }

  /** {@return the indices of records} */
  static List<Integer> all(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  private static Table<Integer> labeled(PlanInput input, List<Integer> rows) {
    return Table.named("records", rows)
        .text("id", Table.HIDDEN, i -> input.labels().get(i).id())
        .text("name", Table.HIDDEN, i -> input.labels().get(i).name());
  }

  /** {@return the extent of a texture, such as {@code [16, 4]}} */
  static Figure extent(TextureExtent extent) {
    return new Figure.Longs(
        LongStream.concat(LongStream.of(extent.width(), extent.height()), extent.depth().stream())
            .toArray());
  }
}
