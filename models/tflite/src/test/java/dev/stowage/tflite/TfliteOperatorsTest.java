package dev.stowage.tflite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.plan.incremental.OperatorOrder;
import dev.stowage.plan.search.OrderSearch;
import dev.stowage.plan.search.OrderSearchResult;
import dev.stowage.plan.search.SearchEnd;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.testing.SampleModels;
import dev.stowage.tflite.micro.MicroArenaReader;
import dev.stowage.tflite.offline.MicroModels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.SubGraphT;

/** The operators of models for searches over their orders, and models read in other orders. */
class TfliteOperatorsTest {

  private static final byte STRING = 5;
  private static final int ADD = BuiltinOperator.ADD;

  @TempDir Path folder;

  /*
   *   0 -> ABS -> 1 -> NEG -> 3 -+
   *         0          2         ADD -> 5
   *   0 -> ABS -> 2 -> NEG -> 4 -+ 4
   *         1          3
   */
  private Path branches() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(4, 100, 100, 2, 2, 1);
    model.operator(main, BuiltinOperator.ABS, new int[] {0}, 1);
    model.operator(main, BuiltinOperator.ABS, new int[] {0}, 2);
    model.operator(main, BuiltinOperator.NEG, new int[] {1}, 3);
    model.operator(main, BuiltinOperator.NEG, new int[] {2}, 4);
    model.operator(main, ADD, new int[] {3, 4}, 5);
    main.setInputs(new int[] {0});
    main.setOutputs(new int[] {5});
    return write(model);
  }

  private Path write(MicroModels model) throws IOException {
    return Files.write(folder.resolve("model.tflite"), model.write());
  }

  @Test
  void readOperators_branches_finishOneBeforeTheOther() throws IOException {
    TfliteOptions options = TfliteOptions.defaults();
    Path model = branches();
    PlanProblem problem = TfliteReader.read(model, options).problem();

    OrderSearchResult result =
        OrderSearch.of(
                problem, TfliteReader.readOperators(model, options), SearchOptions.defaults())
            .run();

    assertThat(result.operators()).isIn(List.of(0, 2, 1, 3, 4), List.of(1, 3, 0, 2, 4));
    assertThat(result.end()).isEqualTo(SearchEnd.OPTIMAL);
    assertThat(result.assignment().totalBytes()).isEqualTo(104);
    assertThat(
            TfliteReader.read(model, options.withOrder(List.of(0, 2, 1, 3, 4))).problem().records())
        .extracting(record -> record.name() + " " + record.firstTask() + ".." + record.lastTask())
        .containsExactly("s0t1 0..1", "s0t3 1..4", "s0t2 2..3", "s0t4 3..4");
  }

  @Test
  void readOperators_tensorsWithoutRecords_keepTheirReadersAfterThem() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(4, 4, 4, 0, 4);
    main.getTensors()[1].setType(STRING);
    model.operator(main, ADD, new int[] {0}, 1);
    model.operator(main, ADD, new int[] {0}, 2);
    model.operator(main, ADD, new int[] {1}, 3);
    model.operator(main, ADD, new int[] {3}, 4);
    OperatorGraph graph = TfliteReader.readOperators(write(model), TfliteOptions.defaults());
    assertThat(predecessors(graph)).containsExactly("", "", "0", "2");
    assertThat(
            predecessors(
                MicroArenaReader.read("model", ByteBuffer.wrap(model.write()))
                    .operators()
                    .orElseThrow()
                    .graph()))
        .containsExactly("", "0", "0", "0,1", "0,3");
  }

  @Test
  void readOperators_operatorsWithEffects_keepTheirOrder() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(4, 4, 4, 4, 4, 4);
    main.getTensors()[5].setIsVariable(true);
    model.operator(main, BuiltinOperator.CUSTOM, new int[] {0}, 1);
    model.operator(main, ADD, new int[] {0}, 2);
    model.operator(main, BuiltinOperator.RANDOM_UNIFORM, new int[] {0}, 3);
    model.operator(main, BuiltinOperator.SVDF, new int[] {0, 5}, 4);
    OperatorGraph graph = TfliteReader.readOperators(write(model), TfliteOptions.defaults());
    assertThat(predecessors(graph)).containsExactly("", "", "0", "2");
  }

  @Test
  void readOperators_realModels_giveTheLifetimesOfTheRecords() throws IOException {
    int comparedCount = 0;
    for (Path file : SampleModels.all(".tflite", "models/tflite")) {
      for (TensorScope scope : TensorScope.values()) {
        TfliteOptions options = TfliteOptions.defaults().withScope(scope);
        PlanProblem problem = TfliteReader.read(file, options).problem();
        OperatorGraph graph = TfliteReader.readOperators(file, options);
        assertThat(OperatorOrder.of(problem, graph).problem().records())
            .as("%s %s", file, scope)
            .isEqualTo(problem.records());
        comparedCount++;
      }
    }
    assertThat(comparedCount).isGreaterThan(20);
  }

  @Test
  void read_orderThatIsNotOne_isRejected() throws IOException {
    Path model = branches();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TfliteOptions.defaults().withOrder(List.of(1, 1)))
        .withMessage("an order must contain each operator from 0 once: order=[1, 1]");
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(
            () -> TfliteReader.read(model, TfliteOptions.defaults().withOrder(List.of(1, 0))))
        .withMessageContaining("has 5 operators, expected 2, the number in the requested order");
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() ->
            TfliteReader.read(model, TfliteOptions.defaults().withOrder(List.of(2, 0, 1, 3, 4))))
        .withMessageContaining("expected operators in execution order");
  }

  private static List<String> predecessors(OperatorGraph graph) {
    return IntStream.range(0, graph.operatorCount())
        .mapToObj(operator ->
            String.join(
                ",",
                IntStream.of(graph.predecessors(operator))
                    .sorted()
                    .mapToObj(Integer::toString)
                    .toList()))
        .toList();
  }
}
