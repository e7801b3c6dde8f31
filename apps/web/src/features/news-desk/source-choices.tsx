import { categoryLabel } from '@shinobi/contract/category-labels'
import type { Category } from '@shinobi/contract/categories'
import type { NewsPermission } from '@shinobi/contract/news'
import { NEWS_PERMISSIONS } from '@shinobi/contract/news-labels'
import { OneOf } from '../../ui/choices.tsx'
import { Field, SelectInput } from '../../ui/field.tsx'
import { LineField } from '../../ui/line-field.tsx'

interface ChoiceProps<Value> {
  value: Value
  onChange: (value: Value) => void
}

const PERMISSIONS = Object.entries(NEWS_PERMISSIONS) as [NewsPermission, { label: string; hint: string }][]

/** What the publisher permits, each with its effect on the board. */
export const PermissionChoice = ({ value, onChange }: ChoiceProps<NewsPermission>) => (
  <OneOf
    legend="配信元の許可"
    name="permission"
    value={value}
    options={PERMISSIONS.map(([permission, words]) => ({ value: permission, ...words }))}
    onChange={onChange}
  />
)

interface CategoryChoiceProps extends ChoiceProps<string> {
  categories: readonly Category[]
  error: string | null | undefined
}

export const CategoryChoice = ({ value, onChange, categories, error }: CategoryChoiceProps) => (
  <Field label="カテゴリ" hint="スレッドを立てる場所。" required error={error}>
    {(field) => (
      <SelectInput {...field} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {value === '' && <option value="">選んでください</option>}
        {categories.map(({ _id, name }) => (
          <option key={_id} value={_id}>
            {categoryLabel(name)}
          </option>
        ))}
      </SelectInput>
    )}
  </Field>
)

export const IntervalField = ({
  value,
  onChange,
  error,
}: ChoiceProps<string> & { error: string | null | undefined }) => (
  <LineField
    label="確認する間隔（分）"
    hint="配信元に負担をかけないよう、30分以上を勧めます。"
    required
    error={error}
    inputMode="numeric"
    value={value}
    onChange={onChange}
  />
)

interface LanguageFieldProps extends ChoiceProps<string> {
  error: string | null | undefined
  /** Which articles it applies to, where that is not obvious. */
  hint?: string
}

/** The language of the articles, with its effects. */
export function LanguageField({ value, onChange, error, hint = '' }: LanguageFieldProps) {
  return (
    <LineField
      label="記事の言語"
      hint={`${hint}jaなら日本語の記事だけを使います。enなど、ほかの言語の要約には言語モデルが要ります。`}
      required
      error={error}
      autoCapitalize="none"
      value={value}
      onChange={onChange}
    />
  )
}
