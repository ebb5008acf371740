package dev.stowage.plan.textures;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.Violation;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.text.Message;
import java.util.List;
import java.util.Optional;

/** A check of assignments to textures, by the rules V5 and V6 of {@link AssignmentChecker}. */
public final class TextureChecker {

  private TextureChecker() {}

  /**
   * {@return the first violation of an assignment to textures; empty if it is valid}
   *
   * @param records the textures
   * @param assignment the plan
   */
  public static Optional<Violation> violation(
      List<TextureUsageRecord> records, TextureObjectsAssignment assignment) {
    if (assignment.objectIds().size() != records.size()) {
      return Optional.of(
          Violation.of(
              Violation.Kind.RECORD_COUNT,
              Message.of(
                  "V5 %d textures for %d records", assignment.objectIds().size(), records.size())));
    }
    for (int i = 0; i < records.size(); i++) {
      int object = assignment.objectIds().get(i);
      TextureExtent needed = records.get(i).extent();
      TextureExtent actual = assignment.objectExtents().get(object);
      if (needed.width() > actual.width()
          || needed.height() > actual.height()
          || needed.depth().orElse(0) > actual.depth().orElse(0)) {
        return Optional.of(
            Violation.of(
                Violation.Kind.OBJECT_TOO_SMALL,
                Message.of("V5 record %d of %s is in texture %d of %s", i, needed, object, actual),
                i));
      }
    }
    return AssignmentChecker.violation(TexturePlanner.lifetimes(records), objects(assignment));
  }

  private static ObjectsAssignment objects(TextureObjectsAssignment assignment) {
    return ObjectsAssignment.of(
        assignment.objectIds().stream().mapToInt(Integer::intValue).toArray(),
        new long[assignment.objectExtents().size()]);
  }
}
