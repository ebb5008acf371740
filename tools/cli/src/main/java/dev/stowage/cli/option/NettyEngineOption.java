package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.netty.ChildNetty;
import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.cli.run.Usage;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option for the version of Netty that runs a recording. */
public final class NettyEngineOption {

  @Option(
      names = "--engine",
      order = ShortHelp.RARE,
      paramLabel = "VERSION|JARS",
      description = {
        "netty: the version that runs the recording, from the local Maven",
        "repository, or the paths of netty-buffer and netty-common (default: the",
        "version that the recording names, or the one of Stowage)."
      })
  private Optional<String> choice = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  private Optional<ChildNetty> engine = Optional.empty();

  /** {@return the processes with Netty} */
  public ChildNetty netty() {
    if (engine.isEmpty()) {
      engine = Optional.of(new ChildNetty(choice));
    }
    return engine.get();
  }

  /**
   * Checks that the trace is a recording of Netty if Netty is the allocator.
   *
   * @throws ParameterException if it is no recording of Netty
   */
  public void check(AllocatorKind allocator, String format) {
    if (allocator == AllocatorKind.netty && !format.equals(allocator.name())) {
      throw Usage.error(
          spec,
          "a trace of the format '%s' cannot be replayed in Netty, expected a recording of JDK Flight"
              + " Recorder with Netty's events",
          format);
    }
  }
}
