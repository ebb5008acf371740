package dev.stowage.fleet.item;

import java.util.List;

/**
 * The items of a sweep.
 *
 * @param items the items, the most expensive first, then by key
 * @param failures the inputs that have no items, by key
 */
public record ItemList(List<WorkItem> items, List<FailedInput> failures) {

  /** Creates a list. */
  public ItemList {
    items = List.copyOf(items);
    failures = List.copyOf(failures);
  }
}
