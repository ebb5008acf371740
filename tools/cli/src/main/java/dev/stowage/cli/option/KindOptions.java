package dev.stowage.cli.option;

import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.plan.AssignmentKind;
import dev.stowage.cli.run.Usage;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code stowage plan} for the kind of plans and the alignment of offsets. */
public final class KindOptions {

  @Option(
      names = "--kind",
      order = ShortHelp.RARE,
      paramLabel = "K",
      description = "offsets (in one arena), objects (shared), or both (default: both).")
  private Kind kind = Kind.both;

  @Option(
      names = "--alignment",
      paramLabel = "N",
      converter = ByteCountConverter.class,
      description = {
        "Every offset is a multiple of N bytes; N is at least 1 (default: 1; 16",
        "with --runtime tflm)."
      })
  private Optional<Long> alignment = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  private enum Kind {
    offsets,
    objects,
    both
  }

  /** {@return true if there are no offsets plans} */
  public boolean isObjects() {
    return kind == Kind.objects;
  }

  /**
   * {@return the alignment of every offset}
   *
   * @param runtime the runtime, which may need another alignment
   */
  public long alignment(RuntimeOption runtime) {
    return runtime.alignment(alignment);
  }

  /**
   * {@return the kinds of plans}
   *
   * @param named the strategies that the user names
   * @param runtime the runtime, which may have only offsets
   * @throws ParameterException if the options contradict each other
   */
  public Set<AssignmentKind> kinds(Set<MemoryStrategy> named, RuntimeOption runtime) {
    if (runtime.isMicro() && kind == Kind.objects) {
      throw Usage.error(
          spec, "--runtime tflm plans offsets in one arena, expected it without --kind objects");
    }
    Set<AssignmentKind> kinds =
        switch (kind) {
          case offsets -> EnumSet.of(AssignmentKind.OFFSETS);
          case objects -> EnumSet.of(AssignmentKind.OBJECTS);
          case both ->
              runtime.isMicro()
                  ? EnumSet.of(AssignmentKind.OFFSETS)
                  : EnumSet.allOf(AssignmentKind.class);
        };
    for (MemoryStrategy strategy : named) {
      if (!kinds.contains(AssignmentKind.OFFSETS) && !strategy.plansObjects()) {
        throw Usage.error(spec, "--strategy %s has no plans of --kind %s", strategy, kind);
      }
    }
    return kinds;
  }

  /** Adds the options. */
  public void addTo(RecordedOptions recorded, RuntimeOption runtime) {
    recorded.add("--alignment", alignment(runtime));
    recorded.add("--kind", kind == Kind.both ? "" : kind.name());
  }
}
