/** The steps of the quiz as entries of the browser's history: its Back goes one question back. */
import { useEffect, useRef, useState } from 'react'
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom'
import { clampStep, type Step } from '../model'

/** Kept in the state of a history entry: the step it shows, and how many of the quiz's entries precede it. */
interface Entry {
  step: Step
  depth: number
}

/** The entry's part of a location's state, which survives a reload; malformed values are ignored. */
function entryOf(state: unknown): Entry | null {
  const quiz: unknown = typeof state === 'object' && state !== null && 'quiz' in state ? state.quiz : null
  if (typeof quiz !== 'object' || quiz === null || !('step' in quiz) || !('depth' in quiz)) return null
  if (!Number.isInteger(quiz.step) || !Number.isInteger(quiz.depth)) return null
  return { step: clampStep(Number(quiz.step)), depth: Math.max(0, Number(quiz.depth)) }
}

/** The current history entry, and how to add or replace one of the same address. */
function useEntry() {
  const location = useLocation()
  const { key, pathname, search, hash } = location
  const state: unknown = location.state
  const navigate = useNavigate()
  const write = (quiz: Entry, replace: boolean) => {
    const kept = typeof state === 'object' ? state : null
    void navigate({ pathname, search, hash }, { replace, preventScrollReset: true, state: { ...kept, quiz } })
  }
  const goBack = (entries: number) => void navigate(-entries)
  return { location, key, entry: entryOf(state), write, goBack }
}

/** `first`: the step to begin with; `ownsPage`: no dialog has added the first entry. */
export function useStepHistory(first: () => Step, ownsPage: boolean) {
  const { location, entry, write, goBack } = useEntry()
  const [step, setStep] = useState(first)
  // The history follows a step a moment later: what it says counts only once it has moved. By the object, not by its
  // key: after a quick Back the same entry is current again, and the one between was never drawn.
  const [seen, setSeen] = useState(location)
  if (seen !== location) {
    setSeen(location)
    if (entry) setStep(entry.step)
  }
  const depth = entry?.depth ?? 0
  useEffect(() => {
    if (ownsPage) write({ step, depth }, true)
    // Once: the entry under which the page was opened.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  return {
    step,
    forward: () => {
      const next = clampStep(step + 1)
      setStep(next)
      write({ step: next, depth: depth + 1 }, false)
    },
    back: () => {
      const previous = clampStep(step - 1)
      setStep(previous)
      if (depth > 0) goBack(1)
      else write({ step: previous, depth: 0 }, true)
    },
    /** Returns to the quiz's first entry, so that Back leaves it. */
    rewind: () => {
      if (depth > 0) goBack(depth)
    },
  }
}

/** For the dialog: opening adds an entry, the browser's Back closes it, and closing takes its entries back. */
export function useDialogEntry(open: boolean, first: () => Step, onClose: () => void): void {
  const { key, entry, write, goBack } = useEntry()
  const isPop = useNavigationType() === NavigationType.Pop
  /** `entering` and `leaving`: the history has been asked to move, and has not yet. */
  const phase = useRef<'away' | 'entering' | 'inside' | 'leaving'>('away')
  useEffect(() => {
    const leave = (from: Entry) => {
      phase.current = 'leaving'
      goBack(from.depth + 1)
    }
    if (phase.current === 'leaving' && entry === null) phase.current = 'away'
    if (phase.current === 'entering' && entry !== null) phase.current = 'inside'
    switch (phase.current) {
      case 'away':
        if (!open) return
        phase.current = entry ? 'inside' : 'entering'
        if (!entry) write({ step: first(), depth: 0 }, false)
        return
      case 'inside':
        if (open && entry === null) {
          phase.current = 'away'
          onClose()
        } else if (!open && entry) leave(entry)
        else if (!open) phase.current = 'away'
        return
      case 'leaving':
        // A step that was added while it closed is taken back, too.
        if (entry && isPop) leave(entry)
    }
    // One step of the phases per change of the dialog or of the history; the rest is what that render knows.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [open, key])
}
