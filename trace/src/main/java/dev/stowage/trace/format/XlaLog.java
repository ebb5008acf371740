package dev.stowage.trace.format;

import java.io.IOException;

/**
 * A log of the BFC allocators of XLA and TensorFlow. It has all requests if {@code
 * TF_CPP_VMODULE=bfc_allocator=4} and {@code TF_CPP_MAX_VLOG_LEVEL=4} were set. Every job logs a
 * report of a request that failed.
 *
 * <p>A program has an allocator for each device, {@code GPU_0_bfc} and so on. The chosen one is
 * read. Lines of other programs and files are ignored.
 */
final class XlaLog implements TraceFormat {

  @Override
  public String name() {
    return TraceSummary.XLA_LOG;
  }

  @Override
  public String description() {
    return "JAX or TensorFlow (a log)";
  }

  @Override
  public boolean matches(String head) {
    return head.contains(XlaLine.FILE);
  }

  @Override
  public boolean isWithinOtherOutput() {
    return true;
  }

  @Override
  public boolean namesAllocators() {
    return true;
  }

  @Override
  public TraceSummary read(TraceContent content, CheckedEvents events) throws IOException {
    String allocator = content.allocator().orElse("GPU_" + content.deviceIndex() + "_bfc");
    XlaLogReader reader = new XlaLogReader(content.source(), events, allocator);
    content.forEachLogLine(events, reader::read);
    return reader.end(name());
  }
}
