package dev.stowage.fleet.flink;

import java.util.List;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** A bounded source whose elements are the batches of a plan, each of them a split of its own. */
final class BatchSource implements Source<Batch, Batch, List<Batch>> {

  private static final long serialVersionUID = 1;

  private final BatchPlan plan;
  private final PartsFolder parts;

  BatchSource(BatchPlan plan, PartsFolder parts) {
    this.plan = plan;
    this.parts = parts;
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.BOUNDED;
  }

  @Override
  public SplitEnumerator<Batch, List<Batch>> createEnumerator(
      SplitEnumeratorContext<Batch> context) {
    return new BatchEnumerator(context, plan.batches(), parts);
  }

  @Override
  public SplitEnumerator<Batch, List<Batch>> restoreEnumerator(
      SplitEnumeratorContext<Batch> context, List<Batch> waiting) {
    return new BatchEnumerator(context, waiting, parts);
  }

  @Override
  public SimpleVersionedSerializer<Batch> getSplitSerializer() {
    return new BatchSerializer();
  }

  @Override
  public SimpleVersionedSerializer<List<Batch>> getEnumeratorCheckpointSerializer() {
    return new BatchListSerializer();
  }

  @Override
  public SourceReader<Batch, Batch> createReader(SourceReaderContext context) {
    return new BatchReader(context);
  }
}
