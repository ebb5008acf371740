package dev.stowage.allocator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Search trees of free chunks by (bytes, address). A tree is identified by its root. */
final class ChunkTree {

  /*
   * AVL trees (Adelson-Velsky and Landis, 1962) through the words of the chunks:
   *
   *          d          levels of a tree = 1 + the larger number of levels of its two subtrees
   *        /   \        balance of a chunk = levels on its right - levels on its left
   *       b     e
   *      / \            T1  chunks on the left of a chunk come before it, on its right after it;
   *     a   c           T2  the balance of each chunk is -1, 0 or 1.
   *
   * Callers choose sizes and the order of frees. T2 holds for any keys in any order, so that they
   * cannot make a tree deep: k chunks have at most 1.44 log2(k + 2) levels. Adding and removing
   * follow one path down and back up, in loops. On the way up, they stop when the number of levels
   * stays the same. Each chunk that they read is likely to be a cache miss. Beyond the path, they
   * read at most two chunks, at a rotation.
   *
   * There are no links to parents, so the path is kept in an array. Bit i of `lefts` is set if the path
   * goes left at path[i].
   */

  private static final int NONE = ChunkTable.NONE;

  /** An upper bound of the levels of a tree of 2^31 chunks. */
  private static final int MAX_LEVELS = 48;

  private final ChunkTable chunks;
  private final int[] path = new int[MAX_LEVELS];

  /** The number of chunks that a search for an aligned request may still try. */
  private int candidates;

  ChunkTree(ChunkTable chunks) {
    this.chunks = chunks;
  }

  /** {@return true if a tree has a chunk} */
  boolean contains(int root, int slot) {
    int tree = root;
    while (tree != NONE && tree != slot) {
      tree = chunks.isBefore(slot, tree) ? chunks.left(tree) : chunks.right(tree);
    }
    return tree == slot;
  }

  /** {@return the first chunk of a tree that is not empty} */
  int first(int root) {
    int first = root;
    for (int left = chunks.left(first); left != NONE; left = chunks.left(first)) {
      first = left;
    }
    return first;
  }

  /** Adds a chunk to a tree that is not empty and {@return the new root} */
  int add(int root, int slot) {
    int depth = 0;
    long lefts = 0;
    int tree = root;
    while (tree != NONE) {
      path[depth] = tree;
      boolean isLeft = chunks.isBefore(slot, tree);
      lefts |= isLeft ? 1L << depth : 0;
      tree = isLeft ? chunks.left(tree) : chunks.right(tree);
      depth++;
    }
    return attach(depth, lefts, slot);
  }

  /** Removes a chunk of a tree and {@return the new root} */
  int remove(int root, int slot) {
    int depth = 0;
    long lefts = 0;
    for (int tree = root; tree != slot; depth++) {
      path[depth] = tree;
      boolean isLeft = chunks.isBefore(slot, tree);
      lefts |= isLeft ? 1L << depth : 0;
      tree = isLeft ? chunks.left(tree) : chunks.right(tree);
    }
    int left = chunks.left(slot);
    int right = chunks.right(slot);
    return left == NONE || right == NONE
        ? replaceByLower(depth, lefts, left == NONE ? right : left)
        : removeInner(depth, lefts, slot);
  }

  /** Removes the first chunk of a tree that is not empty and {@return the new root} */
  int removeFirst(int root) {
    int depth = 0;
    int first = root;
    for (int left = chunks.left(first); left != NONE; left = chunks.left(first)) {
      path[depth++] = first;
      first = left;
    }
    return replaceByLower(depth, -1, chunks.right(first));
  }

  /** Removes a chunk with two children; the next chunk in order replaces it. */
  private int removeInner(int depthOfSlot, long leftsToSlot, int slot) {
    int depth = depthOfSlot + 1;
    long lefts = leftsToSlot;
    int next = chunks.right(slot);
    for (int left = chunks.left(next); left != NONE; left = chunks.left(next)) {
      path[depth] = next;
      lefts |= 1L << depth;
      depth++;
      next = left;
    }
    int behind = chunks.right(next);
    chunks.setChildren(next, chunks.left(slot), chunks.right(slot));
    chunks.setBalance(next, chunks.balance(slot));
    path[depthOfSlot] = next;
    if (depthOfSlot > 0) {
      setChild(depthOfSlot - 1, lefts, next);
    }
    return replaceByLower(depth, lefts, behind);
  }

  /** Puts a chunk at the end of a path, restores T2 along the path, and {@return the root} */
  private int attach(int depth, long lefts, int added) {
    setChild(depth - 1, lefts, added);
    for (int i = depth - 1; i >= 0; i--) {
      int parent = path[i];
      int balance = chunks.balance(parent) + (isLeft(i, lefts) ? -1 : 1);
      if (Math.abs(balance) == 2) {
        return replace(i, lefts, rotate(parent, balance));
      }
      chunks.setBalance(parent, balance);
      if (balance == 0) {
        return path[0];
      }
    }
    return path[0];
  }

  /**
   * Replaces the tree at the end of a path by one that is a level lower, restores T2 along the
   * path, and {@return the root}
   */
  private int replaceByLower(int depth, long lefts, int lower) {
    int root = replace(depth, lefts, lower);
    for (int i = depth - 1; i >= 0; i--) {
      int parent = path[i];
      int balance = chunks.balance(parent) + (isLeft(i, lefts) ? 1 : -1);
      if (Math.abs(balance) == 2) {
        boolean isLower =
            chunks.balance(balance > 0 ? chunks.right(parent) : chunks.left(parent)) != 0;
        root = replace(i, lefts, rotate(parent, balance));
        if (!isLower) {
          return root;
        }
      } else {
        chunks.setBalance(parent, balance);
        if (balance != 0) {
          return root;
        }
      }
    }
    return root;
  }

  /** Puts a tree at a depth of a path and {@return the root} */
  private int replace(int depth, long lefts, int tree) {
    if (depth == 0) {
      return tree;
    }
    setChild(depth - 1, lefts, tree);
    return path[0];
  }

  private static boolean isLeft(int depth, long lefts) {
    return (lefts >>> depth & 1) != 0;
  }

  private void setChild(int depth, long lefts, int child) {
    if (isLeft(depth, lefts)) {
      chunks.setLeft(path[depth], child);
    } else {
      chunks.setRight(path[depth], child);
    }
  }

  /** Restores T2 at a chunk with balance 2 or -2 and {@return the chunk that replaces it} */
  private int rotate(int tree, int balance) {
    return balance > 0
        ? rotateLeft(tree, chunks.right(tree))
        : rotateRight(tree, chunks.left(tree));
  }

  private int rotateLeft(int tree, int right) {
    int balance = chunks.balance(right);
    if (balance < 0) {
      return rotateTwice(chunks.left(right), tree, right);
    }
    chunks.setRight(tree, chunks.left(right));
    chunks.setLeft(right, tree);
    chunks.setBalance(tree, 1 - balance);
    chunks.setBalance(right, balance - 1);
    return right;
  }

  private int rotateRight(int tree, int left) {
    int balance = chunks.balance(left);
    if (balance > 0) {
      return rotateTwice(chunks.right(left), left, tree);
    }
    chunks.setLeft(tree, chunks.right(left));
    chunks.setRight(left, tree);
    chunks.setBalance(tree, -1 - balance);
    chunks.setBalance(left, balance + 1);
    return left;
  }

  /** Makes two chunks the children of the chunk between them and {@return that chunk} */
  private int rotateTwice(int middle, int before, int behind) {
    chunks.setRight(before, chunks.left(middle));
    chunks.setLeft(behind, chunks.right(middle));
    int balance = chunks.balance(middle);
    chunks.setBalance(before, balance > 0 ? -1 : 0);
    chunks.setBalance(behind, balance < 0 ? 1 : 0);
    chunks.setChildren(middle, before, behind);
    chunks.setBalance(middle, 0);
    return middle;
  }

  /** {@return the number of levels of a tree, if T2 holds below its root} */
  int levels(int root) {
    int levels = 0;
    int tree = root;
    while (tree != NONE) {
      levels++;
      tree = chunks.balance(tree) < 0 ? chunks.left(tree) : chunks.right(tree);
    }
    return levels;
  }

  /**
   * Checks T1 and T2 in a tree and {@return its chunks in their order}; costs O(chunks)
   *
   * @throws AssertionError if one does not hold; the message has its label
   */
  List<Integer> checkInvariants(int root) {
    List<Integer> inOrder = new ArrayList<>();
    checkLevels(root, inOrder);
    for (int i = 1; i < inOrder.size(); i++) {
      check(chunks.isBefore(inOrder.get(i - 1), inOrder.get(i)), "T1", inOrder.get(i));
    }
    return inOrder;
  }

  /** Checks T2, adds the chunks of a tree to a list, and {@return the number of its levels} */
  private int checkLevels(int tree, List<Integer> inOrder) {
    if (tree == NONE) {
      return 0;
    }
    int left = checkLevels(chunks.left(tree), inOrder);
    inOrder.add(tree);
    int right = checkLevels(chunks.right(tree), inOrder);
    check(right - left == chunks.balance(tree) && Math.abs(right - left) <= 1, "T2", tree);
    return 1 + Math.max(left, right);
  }

  private void check(boolean holds, String invariant, int slot) {
    if (!holds) {
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "invariant %s of a tree of free chunks does not hold: chunk [%d, %d)",
              invariant,
              chunks.address(slot),
              chunks.end(slot)));
    }
  }

  /**
   * {@return the first chunk of a tree that holds {@code bytes} at a multiple of an alignment, or
   * {@link ChunkTable#NONE}}
   *
   * <p>{@link #candidates} is reduced by each chunk that has enough bytes but does not hold them.
   * The search ends when it is 0.
   */
  int search(int root, long bytes, long alignment) {
    int depth = 0;
    int tree = root;
    while ((tree != NONE || depth > 0) && candidates > 0) {
      if (tree == NONE) {
        int candidate = path[--depth];
        if (isHeld(candidate, bytes, alignment)) {
          return candidate;
        }
        tree = chunks.right(candidate);
      } else if (chunks.bytes(tree) < bytes) {
        tree = chunks.right(tree);
      } else {
        path[depth++] = tree;
        tree = chunks.left(tree);
      }
    }
    return NONE;
  }

  /** {@return true if a chunk with enough bytes holds a request}; otherwise, counts a candidate. */
  boolean isHeld(int candidate, long bytes, long alignment) {
    long padding = Quantum.paddingBytes(chunks.address(candidate), alignment);
    if (padding <= chunks.bytes(candidate) - bytes) {
      return true;
    }
    candidates--;
    return false;
  }

  /** Sets the number of candidates that the next searches may try together. */
  void setCandidates(int most) {
    candidates = most;
  }

  boolean hasCandidates() {
    return candidates > 0;
  }
}
