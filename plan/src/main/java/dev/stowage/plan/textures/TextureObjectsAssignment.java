package dev.stowage.plan.textures;

import dev.stowage.plan.text.Message;
import java.util.List;

/**
 * A shared texture for every record, in the order of the problem, and the extent of each texture.
 *
 * @param objectIds the texture of each record
 * @param objectExtents the extent of each texture
 */
public record TextureObjectsAssignment(List<Integer> objectIds, List<TextureExtent> objectExtents) {

  /**
   * Creates an assignment to textures.
   *
   * <p>{@link dev.stowage.plan.check.AssignmentChecker} checks whether it is valid.
   *
   * @throws IllegalArgumentException if an id is negative or {@code >= objectExtents.size()}
   */
  public TextureObjectsAssignment {
    objectIds = List.copyOf(objectIds);
    objectExtents = List.copyOf(objectExtents);
    for (int i = 0; i < objectIds.size(); i++) {
      int id = objectIds.get(i);
      if (id < 0 || id >= objectExtents.size()) {
        throw Message.illegalArgument(
            "record %d has texture %d, but there are %d textures", i, id, objectExtents.size());
      }
    }
  }

  /** {@return the texels of all textures, or {@link Long#MAX_VALUE} if there are more} */
  public long totalTexels() {
    long total = 0;
    for (TextureExtent extent : objectExtents) {
      total = Math.min(total, Long.MAX_VALUE - extent.volume()) + extent.volume();
    }
    return total;
  }
}
