package dev.stowage.cli.input;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.ReuseGraph;
import dev.stowage.core.plan.TextureUsageRecord;
import dev.stowage.core.plan.spi.MemoryPlanner;
import java.util.List;
import java.util.Optional;

/** What a file holds to be planned. */
public sealed interface PlanInput {

  /** {@return what is said of the file itself} */
  InputFile file();

  /** {@return the records' ids and names, in the order of the records} */
  List<RecordLabel> labels();

  /**
   * Tensors of plain bytes.
   *
   * @param file what is said of the file itself
   * @param labels the records' ids and names
   * @param problem the records
   */
  record Tensors(InputFile file, List<RecordLabel> labels, PlanProblem problem)
      implements PlanInput {}

  /**
   * Textures.
   *
   * @param file what is said of the file itself
   * @param labels the records' ids and names
   * @param records the textures
   * @param graph which textures may share memory in every execution order
   */
  record Textures(
      InputFile file,
      List<RecordLabel> labels,
      List<TextureUsageRecord> records,
      Optional<ReuseGraph> graph)
      implements PlanInput {

    /** {@return the textures as they are planned: with a graph, with longer lifetimes} */
    public List<TextureUsageRecord> planned() {
      return graph.map(it -> MemoryPlanner.widenedTextures(records, it)).orElse(records);
    }
  }
}
