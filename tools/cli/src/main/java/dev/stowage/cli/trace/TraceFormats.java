package dev.stowage.cli.trace;

import dev.stowage.trace.format.TraceOptions;
import java.util.List;

/** The formats of traces that the command line reads. */
public final class TraceFormats {

  private TraceFormats() {}

  /** {@return options that read all formats, device 0, and reject a file with an invalid event} */
  public static TraceOptions options() {
    return TraceOptions.strict().withFormats(List.of(new JsonSnapshot()));
  }
}
