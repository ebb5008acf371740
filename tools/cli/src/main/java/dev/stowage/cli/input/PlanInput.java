package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.shapes.RangedProblem;
import dev.stowage.plan.textures.TexturePlanner;
import dev.stowage.plan.textures.TextureUsageRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The records of a file. */
public sealed interface PlanInput {

  /** {@return the properties of the file} */
  InputFile file();

  /** {@return the ids and names of the records, in their order} */
  List<RecordLabel> labels();

  /**
   * {@return the id of the source of each pair, by the index of the record that may take over its
   * bytes}
   */
  static Map<Integer, String> sourceIds(PlanProblem problem, List<RecordLabel> labels) {
    return problem.inPlace().stream()
        .collect(Collectors.toMap(InPlace::record, pair -> labels.get(pair.source()).id()));
  }

  /**
   * Tensors with sizes in bytes.
   *
   * @param file the properties of the file
   * @param labels the ids and names of the records
   * @param problem the records
   * @param banks the reads of the records, and the banks that they are tied to
   * @param micro the memory of the model in TensorFlow Lite Micro, if it is planned for that
   *     runtime
   * @param xla the program that XLA compiled, if the file is a dump of one
   * @param ranges the records at all shapes, if sizes depend on dimensions with ranges; the problem
   *     then has the largest size of each
   */
  record Tensors(
      InputFile file,
      List<RecordLabel> labels,
      PlanProblem problem,
      BankFields banks,
      Optional<MicroMemory> micro,
      Optional<XlaProgram> xla,
      Optional<RangedProblem> ranges)
      implements PlanInput {

    /** Creates records for no special runtime. */
    public Tensors(
        InputFile file, List<RecordLabel> labels, PlanProblem problem, BankFields banks) {
      this(file, labels, problem, banks, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Creates the records of a file without reads and banks. */
    public Tensors(InputFile file, List<RecordLabel> labels, PlanProblem problem) {
      this(file, labels, problem, BankFields.NONE);
    }

    /** {@return these records in TensorFlow Lite Micro, if they are planned for it} */
    Tensors withMicro(Optional<MicroMemory> memory) {
      return new Tensors(file, labels, problem, banks, memory, xla, ranges);
    }

    /** {@return these records with other properties, such as another alignment} */
    public Tensors withProblem(PlanProblem newProblem) {
      return new Tensors(file, labels, newProblem, banks, micro, xla, ranges);
    }

    /** {@return these records at all shapes, if sizes depend on dimensions with ranges} */
    Tensors withRanges(RangedProblem shapes) {
      return shapes.ranges().shapeCount() == 1
          ? this
          : new Tensors(file, labels, problem, banks, micro, xla, Optional.of(shapes));
    }

    /**
     * {@return true if a file with a plan has the reads of the records}
     *
     * <p>The file of a problem has its reads. The file of a model has them if records have banks.
     */
    public boolean hasReadsBesidePlan(Map<Integer, String> bankNames) {
      return !banks.reads().isEmpty() && (!file.isModel() || !bankNames.isEmpty());
    }
  }

  /**
   * Textures.
   *
   * @param file the properties of the file
   * @param labels the ids and names of the records
   * @param records the textures
   * @param graph the graph of textures that may share memory in every execution order, if any
   */
  record Textures(
      InputFile file,
      List<RecordLabel> labels,
      List<TextureUsageRecord> records,
      Optional<ReuseGraph> graph)
      implements PlanInput {

    /**
     * Creates the textures of a file.
     *
     * @throws IllegalArgumentException if they have more than 2^63 - 1 texels in all
     */
    public Textures {
      long texels = 0;
      for (int i = 0; i < records.size(); i++) {
        long volume = records.get(i).extent().volume();
        if (volume > Long.MAX_VALUE - texels) {
          throw new IllegalArgumentException(
              Text.of(
                  "textures up to record '%s' have more than 2^63 - 1 texels",
                  MalformedFileException.excerpt(labels.get(i).id())));
        }
        texels += volume;
      }
    }

    /** {@return the textures to plan; if there is a graph, they have longer lifetimes} */
    public List<TextureUsageRecord> planned() {
      return graph.map(it -> TexturePlanner.widened(records, it)).orElse(records);
    }
  }
}
