package dev.stowage.onnx;

import ai.onnx.proto.OnnxMl.ModelProto;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

/** The verification of test graphs as files. */
abstract class VerifiedGraphs {

  static final long SEED = 1;

  @TempDir Path folder;

  /** Two branches of four values each, two of which are live at a time. */
  static TestGraph branches() {
    return new TestGraph()
        .input("x", TestGraph.FLOAT, 8, 16)
        .node("Exp", "x", "a")
        .node("Sigmoid", "x", "b")
        .node("Transpose", "b", "c")
        .node("MatMul", "a c", "d")
        .node("Softmax", "d", "e")
        .node("MatMul", "e a", "y")
        .output("y", TestGraph.FLOAT, 8, 16);
  }

  final Path write(TestGraph graph) throws IOException {
    return write(graph.build());
  }

  final Path write(ModelProto model) throws IOException {
    return Files.write(folder.resolve("test.onnx"), model.toByteArray());
  }

  final ModelVerification load(TestGraph graph, OnnxOptions options) throws IOException {
    return ModelVerification.load(write(graph), options, SEED);
  }

  static VerificationReport run(ModelVerification verification) throws IOException {
    return verification.run(plan(verification.problem()));
  }

  /** {@return a plan that uses records in place of others} */
  static OffsetsAssignment plan(PlanProblem problem) {
    SearchOptions fewNodes =
        SearchOptions.defaults().withNodeLimit(5_000).withTimeLimit(Duration.ofMinutes(5));
    return OffsetsSearch.of(problem, fewNodes).run().assignment();
  }

  final VerificationReport run(TestGraph graph) throws IOException {
    return run(load(graph, OnnxOptions.defaults().withAliases()));
  }
}
