package dev.stowage.fleet.flink;

import java.io.IOException;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** Runs the items of each batch and commits their results as one part. */
final class BatchSink implements Sink<Batch> {

  private static final long serialVersionUID = 1;

  private final SweepJob job;
  private final PartsFolder parts;

  BatchSink(SweepJob job, PartsFolder parts) {
    this.job = job;
    this.parts = parts;
  }

  @Override
  public SinkWriter<Batch> createWriter(WriterInitContext context) throws IOException {
    return BatchWriter.open(job, parts);
  }
}
