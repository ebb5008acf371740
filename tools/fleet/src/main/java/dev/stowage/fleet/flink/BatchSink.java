package dev.stowage.fleet.flink;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** Runs the items of each batch and commits their results as one part. */
final class BatchSink implements Sink<Batch> {

  private static final long serialVersionUID = 1;

  private final SweepJob job;
  private final PartsFolder parts;
  private final boolean isEmbedded;

  BatchSink(SweepJob job, PartsFolder parts, boolean isEmbedded) {
    this.job = job;
    this.parts = parts;
    this.isEmbedded = isEmbedded;
  }

  @Override
  public SinkWriter<Batch> createWriter(WriterInitContext context) throws IOException {
    try {
      return BatchWriter.open(job, parts, isEmbedded);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before the first item");
    }
  }
}
