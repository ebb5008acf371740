package dev.stowage.tflite;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.Operator;
import org.tensorflow.lite.schema.SubGraph;
import org.tensorflow.lite.schema.Tensor;

/** The usage records of a float32 model's intermediate tensors, read with the schema alone. */
final class ModelRecords {

  private ModelRecords() {}

  static PlanProblem of(byte[] model) {
    SubGraph graph = Model.getRootAsModel(ByteBuffer.wrap(model)).subgraphs(0);
    Map<Integer, Integer> lastTasks = new HashMap<>();
    for (int task = 0; task < graph.operatorsLength(); task++) {
      Operator operator = graph.operators(task);
      int last = task;
      IntStream.range(0, operator.inputsLength())
          .forEach(i -> lastTasks.put(operator.inputs(i), last));
    }
    List<Integer> outputs =
        IntStream.range(0, graph.outputsLength()).map(graph::outputs).boxed().toList();
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int task = 0; task < graph.operatorsLength(); task++) {
      int made = graph.operators(task).outputs(0);
      if (!outputs.contains(made)) {
        int last = lastTasks.getOrDefault(made, task);
        records.add(TensorUsageRecord.of(bytes(graph.tensors(made)), task, last));
      }
    }
    return PlanProblem.of(records);
  }

  private static long bytes(Tensor tensor) {
    long elements =
        IntStream.range(0, tensor.shapeLength())
            .mapToLong(tensor::shape)
            .reduce(1, Math::multiplyExact);
    return elements * Float.BYTES;
  }
}
