package dev.stowage.onnx.graph;

import dev.stowage.core.plan.TensorUsageRecord;
import java.util.List;
import java.util.OptionalInt;

/** The planned values of a graph and their usage records. */
public interface ValueRecords {

  /** {@return the records} */
  List<TensorUsageRecord> records();

  /** {@return the record of a value, or empty if it is not planned} */
  OptionalInt recordOf(GraphValue value);
}
